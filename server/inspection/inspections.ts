// server/decisions/before-the-start.md says why inspections share threads, connections and memory in this way.

import type { Plans } from '../accounts/plan.ts'
import type { User } from '../accounts/user.ts'
import type {
  InspectionOrder,
  InspectionOutcome,
  InspectionRecorder,
  PageSummary,
} from '../engine/inspection/inspection.ts'
import type { LinkFilter } from '../engine/inspection/link-list.ts'
import { type NetworkPolicy, type Source, sourcesFrom } from '../engine/job-order.ts'
import { ServiceError } from '../errors.ts'
import { assertUrlCount } from '../jobs/limits.ts'
import type { Logins } from '../sites/logins.ts'

/** What users can learn of URLs before they pack them. Nothing of it is stored. Disposing of it stops all that runs. */
export interface Inspections extends AsyncDisposable {
  /** From when on it can be used: the service's own port is then known. Each inspection gets the policy of its time. */
  start(network: () => NetworkPolicy): void
  /**
   * Finds the links of a page.
   * @throws ServiceError `PAGE_NOT_FETCHED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED` or `UNAVAILABLE`
   */
  page(user: User, wanted: WantedPage, signal: AbortSignal): Promise<FoundPage>
  /**
   * Asks what each URL would bring.
   * @param onFound called with lines of JSON, one per `ProbeResult`, as they become known
   * @throws ServiceError `PLAN_LIMIT_EXCEEDED`, `RATE_LIMITED` or `UNAVAILABLE`
   */
  probe(
    user: User,
    sources: readonly Source[],
    onFound: (json: string) => void,
    signal: AbortSignal,
  ): RunningProbe
}

/** Has its place among all inspections until it is disposed of, with what was found in memory. */
export interface RunningProbe extends Disposable {
  /** Rejects if the service itself fails. */
  readonly ended: Promise<InspectionOutcome>
}

export interface WantedPage {
  readonly url: string
  readonly readsFolders: boolean
  /** Which of its links are told; null for all. */
  readonly only: LinkFilter | null
}

/**
 * A page, and its links as JSON lists of `PageLink` in UTF-8. They are passed on as they are: parsing 10,000 links would take 20 ms. They
 * may be 15 MB, so the page has its place among all inspections until it is disposed of.
 */
export interface FoundPage extends PageSummary, Disposable {
  readonly linkLists: readonly Uint8Array[]
}

/** What runs an inspection, in a thread of its own. */
export interface InspectionRunner {
  inspect(
    order: InspectionOrder,
    recorder: InspectionRecorder,
    signal: AbortSignal,
  ): Promise<InspectionOutcome>
}

export function openInspections(
  runner: InspectionRunner,
  plans: Plans,
  logins: Pick<Logins, 'rulesOf' | 'answered'>,
): Inspections {
  /** How many there are now, by the ids of their users. */
  const running = new Map<string, number>()
  let runningInAll = 0
  let longListCharacters = 0
  let network: (() => NetworkPolicy) | null = null

  const stopping = new AbortController()
  const unfinished = new Set<Promise<InspectionOutcome>>()

  /** @throws ServiceError at once when too many run */
  function run(
    user: User,
    order: (
      shared: Pick<InspectionOrder, 'group' | 'network' | 'originRules' | 'cookies'>,
    ) => InspectionOrder,
    onFound: InspectionRecorder['found'],
    signal: AbortSignal,
    listCharacters = 0,
  ): RunningProbe {
    if (network === null)
      throw new ServiceError('UNAVAILABLE', 'The service is starting. Try again in a moment.')
    const shared = {
      group: user.id,
      network: network(),
      originRules: logins.rulesOf(user.id),
      cookies: [],
    }
    const recorder = { found: onFound, loginAnswered: logins.answered }
    const place = takePlace(user.id, listCharacters)
    const ended = runner
      .inspect(order(shared), recorder, AbortSignal.any([signal, stopping.signal]))
      .finally(() => unfinished.delete(ended))
    unfinished.add(ended)
    return { ended, [Symbol.dispose]: () => place[Symbol.dispose]() }
  }

  function takePlace(userId: string, listCharacters: number): Disposable {
    const ofUser = running.get(userId) ?? 0
    if (ofUser >= MAX_PER_USER)
      throw new ServiceError(
        'RATE_LIMITED',
        `A user may look into ${MAX_PER_USER} pages or lists at once. Wait for one of them, or stop it.`,
      )
    const heldCharacters = listCharacters > LONG_LIST_CHARACTERS ? listCharacters : 0
    const isTooLong =
      heldCharacters > 0 &&
      longListCharacters > 0 &&
      longListCharacters + heldCharacters > MAX_LONG_LIST_CHARACTERS
    if (runningInAll >= MAX_IN_ALL || isTooLong)
      throw new ServiceError(
        'UNAVAILABLE',
        'Many pages and lists are being looked into. Try again in a moment.',
      )
    running.set(userId, ofUser + 1)
    runningInAll++
    longListCharacters += heldCharacters
    let isTaken = true
    return {
      [Symbol.dispose]() {
        if (!isTaken) return
        isTaken = false
        runningInAll--
        longListCharacters -= heldCharacters
        const left = (running.get(userId) ?? 1) - 1
        if (left === 0) running.delete(userId)
        else running.set(userId, left)
      },
    }
  }

  return {
    start(policy) {
      network = policy
    },
    async page(user, wanted, signal) {
      const linkLists: Uint8Array[] = []
      using place = new DisposableStack()
      const inspection = place.use(
        run(
          user,
          (shared) => ({ kind: 'page', ...shared, ...wanted }),
          (json) => linkLists.push(json),
          signal,
        ),
      )
      const outcome = await inspection.ended
      if (outcome.status === 'done' && outcome.page !== null) {
        place.move()
        return { ...outcome.page, linkLists, [Symbol.dispose]: () => inspection[Symbol.dispose]() }
      }
      if (outcome.status === 'too-large')
        throw new ServiceError('PAYLOAD_TOO_LARGE', 'The page has more than 10 MB.')
      const reason = outcome.status === 'not-fetched' ? outcome.reason : 'It was stopped.'
      throw new ServiceError('PAGE_NOT_FETCHED', `The page can’t be looked into: ${reason}`)
    },
    probe(user, sources, onFound, signal) {
      assertUrlCount(plans[user.plan], sources.length)
      const order = sourcesFrom(sources)
      const characters = sources.reduce(
        (sum, { url, filename }) => sum + url.length + (filename?.length ?? 0),
        0,
      )
      return run(
        user,
        (shared) => ({ kind: 'probe', ...shared, sources: order }),
        (json) => onFound(UTF8.decode(json)),
        signal,
        characters,
      )
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the service stops'))
      await Promise.allSettled(unfinished)
    },
  }
}

const UTF8 = new TextDecoder()

/** Each runs in a thread of its own, which takes some 20 MB. */
const MAX_PER_USER = 2
const MAX_IN_ALL = 8

/** Lists are in memory as long as they are looked into. One with the longest URLs, or several with shorter ones. */
const MAX_LONG_LIST_CHARACTERS = 40 * 1024 * 1024

/** Shorter lists do not count: 5,000 URLs of 200 characters. */
const LONG_LIST_CHARACTERS = 1024 * 1024
