import type { TempDir } from './temp-dir.ts'

/** A certificate and its key, both in PEM format. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Creates a self-signed certificate, which can also sign others. */
export async function selfSigned(dir: TempDir, name: string): Promise<Certificate> {
  const files = filesFor(dir, name)
  const extension = `subjectAltName=DNS:${name}`
  const subject = ['-subj', `/CN=${name}`, '-addext', extension]
  await openssl('req', '-x509', ...newKey, ...subject, '-keyout', files.key, '-out', files.cert)
  return read(files)
}

/** Creates a certificate that `selfSigned(authority)` signs. With negative days, it has expired. */
export async function signed(
  dir: TempDir,
  name: string,
  authority: string,
  days: number,
): Promise<Certificate> {
  const by = filesFor(dir, authority)
  const files = filesFor(dir, `${name}.${days}`)
  await Bun.write(files.extensions, `subjectAltName=DNS:${name}`)
  await openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', files.key, '-out', files.request)
  const signer = ['-CA', by.cert, '-CAkey', by.key, '-CAcreateserial', '-days', String(days)]
  await openssl(
    'x509',
    '-req',
    '-in',
    files.request,
    ...signer,
    '-extfile',
    files.extensions,
    '-out',
    files.cert,
  )
  return read(files)
}

function filesFor(dir: TempDir, name: string) {
  const file = (kind: string) => dir.file(`${name}.${kind}`)
  return { cert: file('crt'), key: file('key'), request: file('csr'), extensions: file('ext') }
}

async function read(files: { cert: string; key: string }): Promise<Certificate> {
  return { cert: await Bun.file(files.cert).text(), key: await Bun.file(files.key).text() }
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

async function openssl(...args: readonly string[]): Promise<void> {
  const child = Bun.spawn(['openssl', ...args], { stdout: 'ignore', stderr: 'pipe' })
  const complaint = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`openssl ${args[0]} failed: ${complaint}`)
}
