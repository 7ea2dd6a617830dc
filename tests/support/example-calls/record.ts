import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExampleCall } from '../../../server/http/docs/example-calls.ts'
import type { OpenapiDocument } from '../../../server/http/docs/openapi.ts'
import { printJson } from '../../../server/http/docs/print-json.ts'
import { startReceiver } from '../receiver.ts'
import { startService } from '../service.ts'
import { type TempDir, tempDir } from '../temp-dir.ts'
import { until } from '../until.ts'
import { callEveryOperation } from './calls.ts'
import { startExampleSite } from './site.ts'
import { RECEIVER, SERVICE, SOURCES } from './stage.ts'
import { steady } from './steady.ts'

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
  const names = [
    [service.origin, SERVICE],
    [site.origin, SOURCES],
    [receiver.url('').replace(/\/$/, ''), RECEIVER],
  ] as const
  const sent = (text: string) => names.reduce((text, [name, shown]) => text.replaceAll(shown, name), text)

  await callEveryOperation({
    get: (path) => commandOf('GET', SERVICE + path),
    send: (method, path, body) => commandOf(method, SERVICE + path, body),
    async call(name, command, key = service.key) {
      service.advance(60_000)
      const { status, answer } = await runCall(name, sent(command), key, dir)
      calls.push({ name, command, status, answer })
      return answer
    },
    async create(path, body) {
      service.advance(60_000)
      return (await service.request('POST', path, { body: sent(JSON.stringify(body)) })).body
    },
    async change(path, body) {
      await service.request('PATCH', path, { body: sent(JSON.stringify(body)) })
    },
    settingsCode: () => readFileSync(join(service.dataDir, 'settings-code'), 'utf8').trim(),
    jobIn: service.jobIn,
    async untilDelivered(path) {
      await until('every delivery has ended', async () => {
        const { deliveries } = (await service.request('GET', path)).body
        return deliveries.every(({ status }: { status: string }) => status !== 'pending')
      })
    },
  })
  const { paths } = (await service.request('GET', '/openapi.json')).body
  const missing = operationIds(paths).filter((id) => !calls.some(({ name }) => name === id))
  if (missing.length > 0) throw new Error(`tests/${CALLS} needs a call of ${missing.join(', ')}`)
  const hosts = [
    [new URL(site.origin).host, new URL(SOURCES).host],
    ['127.0.0.1:0', new URL(SERVICE).host],
  ] as const
  return steady(calls, [...names, ...hosts], Date.parse(api_key.created_at))
}

const CALLS = 'support/example-calls/calls.ts'

function operationIds(paths: OpenapiDocument['paths']): string[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
}

async function runCall(name: string, command: string, key: string, dir: TempDir) {
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
  return { status, answer }
}

/** The lines of a response's head that are about its content. */
function headOfFile(head: string): string {
  const lines = head.trim().split('\r\n')
  return lines.filter((line) => /^(?:HTTP|accept-ranges|content-(?!sec)|etag)/i.test(line)).join('\n')
}

/** On several lines, with backslashes, if it is longer than most windows. */
function commandOf(method: string, url: string, body?: object): string {
  // With a body, curl posts.
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined)
  const parts = [
    `curl ${isPlain ? '' : `-X ${method} `}-H "Authorization: Bearer $KEY"`,
    url.includes('?') ? `'${url}'` : url,
    ...(body === undefined ? [] : [`--json '${printJson(body)}'`]),
  ]
  const line = parts.join(' ')
  return line.length <= LINE_CHARACTERS ? line : parts.join(' \\\n  ')
}

const LINE_CHARACTERS = 100
