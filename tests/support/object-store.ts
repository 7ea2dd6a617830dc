import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { PYTHON } from './python.ts'
import { tempDir } from './temp-dir.ts'

/** An S3 server with one bucket, on this machine: OpenStack Swift from Debian. */
export interface ObjectStore extends AsyncDisposable {
  /** `--archive-store` for a prefix of the bucket. */
  address(prefix: string): string
  /** The variables with its endpoint and credentials. */
  readonly env: Record<string, string>
  /** The host and port of the server. */
  readonly host: string
  /** The names of all objects, sorted. */
  objects(): Promise<string[]>
  /** Whether an object exists. */
  has(name: string): Promise<boolean>
  /** How many uploads are unfinished. */
  unfinishedUploads(): Promise<number>
  /** Stops the server, which keeps its objects. */
  stop(): Promise<void>
  /** Starts it again at the same address. */
  start(): Promise<void>
}

/** The server is used by curl, which signs requests itself, so that nothing here depends on the code that is tested. */
export async function startObjectStore(): Promise<ObjectStore> {
  const dir = tempDir()
  const host = `127.0.0.1:${await freePort()}`
  let server: Bun.Subprocess<'pipe', 'pipe', 'ignore'> | null = null

  async function start(): Promise<void> {
    const args = [dir.path, host.split(':')[1] ?? '', ACCESS_KEY, SECRET_KEY]
    const started = Bun.spawn([PYTHON, join(import.meta.dir, 'object-store.py'), ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    server = started
    const { value } = await started.stdout.getReader().read()
    if (value === undefined) throw new Error('The object store has not started.')
  }

  async function stop(): Promise<void> {
    server?.kill('SIGKILL')
    await server?.exited
    server = null
  }

  async function listed(query: string, element: string): Promise<string[]> {
    const xml = await signed('GET', `http://${host}/${BUCKET}?${query}`)
    return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text = '']) => text)
  }

  await start()
  await signed('PUT', `http://${host}/${BUCKET}`)
  return {
    address: (prefix) => `s3://${BUCKET}/${prefix}`,
    env: {
      AWS_ENDPOINT_URL: `http://${host}`,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    },
    host,
    objects: async () => (await listed('list-type=2', 'Key')).toSorted(),
    has: (name) =>
      signed('HEAD', `http://${host}/${BUCKET}/${name}`, '-I', '--max-time', '10').then(
        () => true,
        () => false,
      ),
    unfinishedUploads: async () => (await listed('uploads=', 'UploadId')).length,
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop()
      dir[Symbol.dispose]()
    },
  }
}

async function signed(method: string, url: string, ...more: string[]): Promise<string> {
  const signature = [
    '-H',
    'x-amz-content-sha256: UNSIGNED-PAYLOAD',
    '--aws-sigv4',
    `aws:amz:${REGION}:s3`,
    '--user',
    `${ACCESS_KEY}:${SECRET_KEY}`,
  ]
  const curl = Bun.spawn(['curl', '-sS', '--fail-with-body', '-X', method, ...signature, ...more, url], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([curl.stdout.text(), curl.stderr.text(), curl.exited])
  if (curl.exitCode !== 0) throw new Error(`curl ${method} ${url}: ${errors} ${output}`)
  return output
}

const BUCKET = 'holdall-tests'
const REGION = 'us-east-1'
const ACCESS_KEY = 'TESTACCESSKEY'
const SECRET_KEY = 'secret-of-the-object-store'
