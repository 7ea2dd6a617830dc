import { seededRandom } from '../support/seeded-random.ts'
import { clientAddresses } from './client-addresses.ts'
import { bodyOf, finishedJobs } from './finished-jobs.ts'
import { mutant } from './mutations.ts'
import type { Target } from './target.ts'

export interface SecretsTried {
  /** The number tried of each kind. */
  readonly tried: ReadonlyMap<string, number>
  /** Secrets that were not refused as they should be. */
  readonly accepted: readonly string[]
}

/** A kind of secret, some valid ones, and how a request with an invalid one is refused. */
interface Kind {
  readonly name: string
  readonly valid: readonly string[]
  readonly refusals: readonly string[]
  send(text: string): Promise<Response>
}

const CONCURRENCY = 16
const MAX_ACCEPTED = 20

/** Tries altered API keys, tokens and cursors. It tries the valid ones first. */
export async function fuzzSecrets(target: Target, count: number, seed: number): Promise<SecretsTried> {
  const kinds = await kindsOf(target)
  const random = seededRandom(seed)
  const tried = new Map<string, number>()
  const accepted: string[] = []

  function* mutants(): Generator<[Kind, string]> {
    for (let index = 0; index < count; index++) {
      const kind = kinds[index % kinds.length]
      if (kind !== undefined) yield [kind, mutant(kind.valid, random)]
    }
  }

  const queue = mutants()
  async function tryRemaining(): Promise<void> {
    for (const [{ name, refusals, send }, text] of queue) {
      const answer = await codeOf(await send(text))
      tried.set(name, (tried.get(name) ?? 0) + 1)
      if (!refusals.includes(answer) && accepted.length < MAX_ACCEPTED) {
        accepted.push(`${name} ${JSON.stringify(text)} -> ${answer}`)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, tryRemaining))
  return { tried, accepted }
}

async function kindsOf(target: Target): Promise<Kind[]> {
  const { origin, keys, signInToken } = target
  const [key = ''] = keys
  const nextAddress = clientAddresses()
  const request = (path: string, authorization: string | null, body?: string) =>
    fetch(origin + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-forwarded-for': nextAddress(),
        ...(authorization === null ? {} : { authorization }),
      },
      ...(body === undefined ? {} : { body }),
    })
  const { jobs, tokens } = await finishedJobs(target)
  const [job = ''] = jobs
  const jobCursor = await bodyOf(await request('/jobs?limit=1', `Bearer ${key}`))
  const entryCursor = await bodyOf(await request(`/jobs/${job}/entries?limit=1`, `Bearer ${key}`))
  const kinds: Kind[] = [
    {
      name: 'API keys',
      valid: keys,
      refusals: ['UNAUTHORIZED'],
      send: (text) => request('/me', `Bearer ${text}`),
    },
    {
      name: 'download tokens',
      valid: tokens,
      refusals: ['INVALID_TOKEN'],
      send: (text) => request(`/download/${encodeURIComponent(text)}`, null),
    },
    {
      name: 'cursors of jobs',
      valid: [jobCursor.meta.next_cursor],
      refusals: ['INVALID_REQUEST'],
      send: (text) => request(`/jobs?cursor=${encodeURIComponent(text)}`, `Bearer ${key}`),
    },
    {
      name: 'cursors of entries',
      valid: [entryCursor.meta.next_cursor],
      refusals: ['INVALID_REQUEST'],
      send: (text) => request(`/jobs/${job}/entries?cursor=${encodeURIComponent(text)}`, `Bearer ${key}`),
    },
    {
      name: 'sign-in tokens',
      valid: [signInToken],
      refusals: ['UNAUTHORIZED'],
      send: (text) => request('/sign-in', null, JSON.stringify({ token: text })),
    },
  ]
  for (const { name, valid, send } of kinds.filter(({ name }) => name !== 'sign-in tokens')) {
    for (const text of valid) {
      const response = await send(text)
      if (!response.ok) throw new Error(`One of the valid ${name} is refused: ${await response.text()}`)
    }
  }
  return kinds
}

/** The code of a refusal, else the status. */
async function codeOf(response: Response): Promise<string> {
  const text = await response.text()
  return response.ok ? `${response.status}` : JSON.parse(text).error.code
}
