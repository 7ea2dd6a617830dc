import fc from 'fast-check'
import { openReference, type Reference } from '../support/documented.ts'
import { type RawRequest, sendRaw } from '../support/raw-request.ts'
import { clientAddresses } from './client-addresses.ts'
import { finishedJobs } from './finished-jobs.ts'
import { faultOf, isBareRefusal } from './judge.ts'
import { oddFieldValue } from './odd-values.ts'
import { rawRequestsFor } from './raw-requests.ts'
import { type FuzzRequest, requestsFor } from './requests.ts'
import { openResponseValues, type ResponseValues } from './response-values.ts'
import type { Target } from './target.ts'

export interface RequestsTried {
  /** The number of requests by response. */
  readonly answers: ReadonlyMap<string, number>
  /** Operations of the API reference that succeeded at least once. */
  readonly succeeded: ReadonlySet<string>
  /** Each kind of fault once, with a request that caused it. */
  readonly faults: readonly string[]
}

/** One in this many requests is sent over a connection of its own, byte by byte. */
const RAW_SHARE = 10
/** Requests per batch. The generators start again with each batch, from a seed of its own. */
const BATCH = 200
/** Concurrent requests. */
const CONCURRENCY = 16
/** How long to wait for the response to an incomplete request. */
const RAW_DEADLINE_MS = 1_000

/** Sends requests generated from the service's own `/openapi.json`, and checks every response. */
export async function fuzzRequests(target: Target, count: number, seed: number): Promise<RequestsTried> {
  const reference = await openReference(target.origin)
  const { document } = reference
  const requests = requestsFor(document, { uri: urisFor(target), origin: origins, 'date-time': moments })
  const raw = rawRequestsFor(Object.keys(document.paths))
  const values = openResponseValues(await finishedJobs(target))
  const answers = new Map<string, number>()
  const succeeded = new Set<string>()
  const faults = new Map<string, string>()
  const sendings = sendingsOf(target, reference, values, succeeded)

  function* batches(): Generator<() => Promise<Outcome>> {
    for (let sent = 0, batch = seed; sent < count; sent += BATCH, batch++) {
      const numRuns = Math.min(BATCH, count - sent)
      const rawRuns = Math.floor(numRuns / RAW_SHARE)
      for (const request of fc.sample(requests, { seed: batch, numRuns: numRuns - rawRuns })) {
        yield () => sendings.whole(request)
      }
      for (const request of fc.sample(raw, { seed: batch, numRuns: rawRuns }))
        yield () => sendings.raw(request)
    }
  }

  const queue = batches()
  async function sendRemaining(): Promise<void> {
    for (const send of queue) {
      const { answer, fault } = await send()
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      if (fault !== null) faults.set(kindOf(fault), fault)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendRemaining))
  return { answers, succeeded, faults: [...faults.values()] }
}

/** Faults are of one kind when their texts begin alike, apart from ids and tokens. */
function kindOf(fault: string): string {
  return fault.replaceAll(/[\w-]{30,}|\/\d+\//g, '').slice(0, 150)
}

interface Outcome {
  readonly answer: string
  readonly fault: string | null
}

function sendingsOf(target: Target, reference: Reference, values: ResponseValues, succeeded: Set<string>) {
  const nextAddress = clientAddresses()

  return {
    async whole(request: FuzzRequest): Promise<Outcome> {
      const path = values.fill(request.method, request.path, request.choice)
      const headers = new Headers(request.fields.map(([name, value]) => [name, value]))
      const key = keyOf(request)
      if (key !== null) headers.set('authorization', `Bearer ${key}`)
      headers.set('x-forwarded-for', nextAddress())
      const { method, body } = request
      const description = JSON.stringify({ ...request, path, body: body?.toString().slice(0, 2_000) })
      const send = async () => {
        const response = await fetch(target.origin + path, {
          method,
          headers,
          redirect: 'manual',
          ...(body === null ? {} : { body: new Blob([body]) }),
        })
        return { response, text: await textOf(response) }
      }
      try {
        // The download of an archive that is packed breaks off when its job fails or is deleted. After that, its link answers.
        const { response, text } = await (request.operation === 'GET /download/{token}'
          ? send().catch(send)
          : send())
        const { status } = response
        const { pathname } = new URL(path, target.origin)
        const fault = faultOf(
          { method, pathname, status, headers: response.headers, text },
          reference,
          target,
        )
        if (response.ok) {
          if (request.operation !== null) succeeded.add(request.operation)
          const type = response.headers.get('content-type') ?? ''
          const isLines = type.startsWith('application/x-ndjson')
          const isJson = isLines || type.startsWith('application/json')
          for (const json of isLines ? text.split('\n') : [text])
            if (isJson && json.startsWith('{')) values.collect(JSON.parse(json))
        }
        return { answer: `${status}`, fault: fault && `${fault}\n  ${description}` }
      } catch (error) {
        return { answer: 'no response', fault: `${error}\n  ${description}` }
      }
    },
    async raw(request: RawRequest): Promise<Outcome> {
      const fields = request.fields?.map((field) => field.replace('{key}', target.keys[0] ?? '')) ?? []
      const [verb = ''] = request.line.split(' ')
      const line = values.fill(verb, request.line, 0)
      const answer = await sendRaw(target.origin, { ...request, line, fields }, RAW_DEADLINE_MS)
      if (answer === null) return { answer: 'closed or incomplete', fault: null }
      if (isBareRefusal(answer)) return { answer: `${answer.status} (bare)`, fault: null }
      const [method = '', path = ''] = line.split(' ')
      const pathname = path.startsWith('/') ? (path.split('?')[0] ?? '') : (URL.parse(path)?.pathname ?? path)
      const fault = faultOf({ method, pathname, ...answer }, reference, target)
      return { answer: `${answer.status}`, fault: fault && `${fault}\n  ${JSON.stringify(request)}` }
    },
  }

  function keyOf({ key, choice, method, path }: FuzzRequest): string | null {
    // A valid key must not revoke itself.
    if (method === 'DELETE' && path.startsWith('/sign-in')) return values.createdKey(choice)
    if (key === 'valid') return target.keys[choice % target.keys.length] ?? null
    return key === 'created' ? values.createdKey(choice) : key === 'odd' ? `hold_${choice}` : null
  }
}

/** The whole body, except that of an event stream, which is not read. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return await response.text()
  await response.body?.cancel()
  return ''
}

/** URLs of this machine, some without a server, and text that is no URL. */
const origins = fc.constantFrom(
  'https://example.org',
  'http://nas:8080',
  'http://[::1]/',
  'https://a.org/b',
  'x',
)

function urisFor({ sourceUrl }: Target): fc.Arbitrary<string> {
  const ends = fc.constantFrom('', '?x=%ff', '#part', '%2f..%2f', '/\u{1f468}', '/%E0%A4%A', ' ', '\t/x')
  return fc.oneof(
    { weight: 8, arbitrary: ends.map((end) => sourceUrl + end) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('http://127.0.0.1:9/', 'http://user:p%40ss@127.0.0.1:9/', 'http://[::1]:9/'),
    },
    { weight: 1, arbitrary: oddFieldValue.filter((text) => !URL.canParse(text)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        'http://',
        'http:///',
        'ftp://127.0.0.1/',
        'file:///etc/passwd',
        'javascript:1',
      ),
    },
  )
}

const moments = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(
    '2100-01-01T00:00Z',
    '2100-01-01T00:00:00+23:59',
    '2100-02-30T00:00:00Z',
    '2100-01-01T24:00:00Z',
    '2100-01-01',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-23:59',
    '+275760-09-13T00:00:00.000Z',
    '1969-12-31T23:59:59Z',
  ),
)
