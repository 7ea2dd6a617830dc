import { seededRandom } from '../support/seeded-random.ts'
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
  readonly good: readonly string[]
  readonly refusals: readonly string[]
  send(text: string): Promise<Response>
}

const LANES = 16
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
      if (kind !== undefined) yield [kind, mutant(kind.good, random)]
    }
  }

  const queue = mutants()
  async function lane(): Promise<void> {
    for (const [{ name, refusals, send }, text] of queue) {
      const answer = await codeOf(await send(text))
      tried.set(name, (tried.get(name) ?? 0) + 1)
      if (!refusals.includes(answer) && accepted.length < MAX_ACCEPTED) {
        accepted.push(`${name} ${JSON.stringify(text)} -> ${answer}`)
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return { tried, accepted }
}

async function kindsOf(target: Target): Promise<Kind[]> {
  const { origin, keys, signInToken } = target
  const [key = ''] = keys
  let asked = 0
  /** Claims another address each time: wrong keys and tokens are limited per address. */
  const ask = (path: string, authorization: string | null, body?: string) =>
    fetch(origin + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-forwarded-for': `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked++ & 255}`,
        ...(authorization === null ? {} : { authorization }),
      },
      ...(body === undefined ? {} : { body }),
    })
  const { jobs, tokens } = await finishedJobs(target)
  const [job = ''] = jobs
  const cursor = await bodyOf(await ask('/jobs?limit=1', `Bearer ${key}`))
  const place = await bodyOf(await ask(`/jobs/${job}/entries?limit=1`, `Bearer ${key}`))
  const kinds: Kind[] = [
    {
      name: 'API keys',
      good: keys,
      refusals: ['UNAUTHORIZED'],
      send: (text) => ask('/me', `Bearer ${text}`),
    },
    {
      name: 'download tokens',
      good: tokens,
      refusals: ['INVALID_TOKEN'],
      send: (text) => ask(`/download/${encodeURIComponent(text)}`, null),
    },
    {
      name: 'cursors of jobs',
      good: [cursor.meta.next_cursor],
      refusals: ['INVALID_REQUEST'],
      send: (text) => ask(`/jobs?cursor=${encodeURIComponent(text)}`, `Bearer ${key}`),
    },
    {
      name: 'cursors of entries',
      good: [place.meta.next_cursor],
      refusals: ['INVALID_REQUEST'],
      send: (text) => ask(`/jobs/${job}/entries?cursor=${encodeURIComponent(text)}`, `Bearer ${key}`),
    },
    {
      name: 'sign-in tokens',
      good: [signInToken],
      refusals: ['UNAUTHORIZED'],
      send: (text) => ask('/sign-in', null, JSON.stringify({ token: text })),
    },
  ]
  for (const { name, good, send } of kinds.filter(({ name }) => name !== 'sign-in tokens')) {
    for (const text of good) {
      const response = await send(text)
      if (!response.ok) throw new Error(`Of the ${name}, a good one is refused: ${await response.text()}`)
    }
  }
  return kinds
}

/** The code of a refusal, else the status. */
async function codeOf(response: Response): Promise<string> {
  const text = await response.text()
  return response.ok ? `${response.status}` : JSON.parse(text).error.code
}
