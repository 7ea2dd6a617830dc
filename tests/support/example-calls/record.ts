import { readFileSync } from 'node:fs'
import type { ExampleCall } from '../../../server/http/docs/example-calls.ts'
import { printJson } from '../../../server/http/docs/print-json.ts'
import { startReceiver } from '../receiver.ts'
import { type ReplyBody, startService, type TestService } from '../service.ts'
import { type TempDir, tempDir } from '../temp-dir.ts'
import { callEveryOperation } from './calls.ts'
import { startExampleSite } from './site.ts'
import { steady } from './steady.ts'

/** What the calls use. */
export interface Stage {
  /** Where the service is. */
  readonly origin: string
  sourceUrl(path: string): string
  /** Of something that accepts every message. */
  readonly receiverUrl: string
  /** The command of a `GET`. */
  get(path: string): string
  /** The command of another request, with JSON if there is a body. */
  send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): string
  /**
   * Runs the command of an operation as a user does, and keeps it with its answer. A minute passes for the service before it.
   * @param name the id of the operation, or the code of the error that the call gets
   * @param key the key in `$KEY`; by default the owner's
   */
  call(name: string, command: string, key?: string): Promise<ReplyBody>
  /** Requests that are not kept. */
  create(path: string, body: object): Promise<ReplyBody>
  change(path: string, body: object): Promise<void>
  jobIn: TestService['jobIn']
  /** Waits until no delivery on this list is pending. */
  untilDelivered(path: string): Promise<void>
}

/**
 * Makes one call per operation of the API, by curl, one after another, and returns them with their answers. What differs
 * between two runs, such as ids, times and keys, is replaced, so that all runs give the same.
 */
export async function recordExampleCalls(): Promise<readonly ExampleCall[]> {
  await using service = await startService()
  await using site = startExampleSite()
  await using receiver = startReceiver()
  using dir = tempDir()
  await Bun.write(dir.file('.curlrc'), `silent\ndump-header = "${dir.file('head')}"\n`)
  service.stopClock()
  const { api_key } = (await service.request('POST', '/api-keys', { body: { name: 'now' } })).body
  await service.request('DELETE', `/api-keys/${api_key.id}`)
  const calls: ExampleCall[] = []

  await callEveryOperation({
    origin: service.origin,
    sourceUrl: (path) => site.origin + path,
    receiverUrl: receiver.url('/holdall'),
    get: (path) => commandOf('GET', service.origin + path),
    send: (method, path, body) => commandOf(method, service.origin + path, body),
    async call(name, command, key = service.key) {
      service.advance(60_000)
      const call = await runCall(name, command, key, dir)
      calls.push(call)
      return call.answer
    },
    async create(path, body) {
      service.advance(60_000)
      return (await service.request('POST', path, { body })).body
    },
    async change(path, body) {
      await service.request('PATCH', path, { body })
    },
    jobIn: service.jobIn,
    async untilDelivered(path) {
      for (;;) {
        const { deliveries } = (await service.request('GET', path)).body
        if (deliveries.every(({ status }: { status: string }) => status !== 'pending')) return
        await Bun.sleep(5)
      }
    },
  })
  const names = [
    [service.origin, 'http://127.0.0.1:8420'],
    [site.origin, 'https://example.org'],
    [new URL(site.origin).host, 'example.org'],
    ['127.0.0.1:0', '127.0.0.1:8420'],
    [receiver.url(''), 'https://hooks.example.com'],
  ] as const
  return steady(calls, names, Date.parse(api_key.created_at))
}

async function runCall(name: string, command: string, key: string, dir: TempDir): Promise<ExampleCall> {
  const child = Bun.spawn(['sh', '-c', command], {
    cwd: dir.path,
    env: { PATH: process.env.PATH, CURL_HOME: dir.path, KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${name} failed: ${command}`)
  const head = readFileSync(dir.file('head'), 'utf8')
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1])
  // A body in a file leaves no text, and a pipe leaves a part of the JSON.
  const isWhole = !command.includes('|') && /^content-type: application\/json/im.test(head)
  const answer = text === '' ? headOfFile(head) : isWhole ? JSON.parse(text) : text
  const got = isWhole && answer.success === false ? answer.error.code : name
  if (got !== name) throw new Error(`${name} got ${text}`)
  return { name, command, status, answer }
}

/** The lines of a response's head that are about its content. */
function headOfFile(head: string): string {
  const lines = head.trim().split('\r\n')
  return lines.filter((line) => /^(?:HTTP|accept-ranges|content-(?!sec)|etag)/i.test(line)).join('\n')
}

function commandOf(method: string, url: string, body?: object): string {
  const address = url.includes('?') ? `'${url}'` : url
  const json = body === undefined ? '' : ` --json '${printJson(body)}'`
  // With a body, curl posts.
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined)
  return `curl ${isPlain ? '' : `-X ${method} `}-H "Authorization: Bearer $KEY" ${address}${json}`
}
