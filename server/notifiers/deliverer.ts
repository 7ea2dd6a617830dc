import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WriteQueue } from '../db/write-queue.ts'
import { createAddressGuard, type NetworkPolicy } from '../fetching/addresses/guard.ts'
import { localAddresses } from '../fetching/addresses/local-addresses.ts'
import { CheckedResolver } from '../fetching/addresses/resolver.ts'
import { alsoTrusting } from '../fetching/verified-tls.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import { openFailureLog } from '../logging/failure-log.ts'
import type { Log } from '../logging/log.ts'
import type { Counter } from '../monitoring/metrics.ts'
import type { Clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'
import { settlesWithin } from '../time/settles-within.ts'
import type { AttemptStore } from './attempt-store.ts'
import { chooseNotifier, MAX_ATTEMPTS_OF_NOTIFIER, type OwnedNotifier } from './choose-notifier.ts'
import { type AttemptResult, type DeliveryChange, deliveryChangeAfter } from './delivery-change.ts'
import type { DueDelivery } from './notifier.ts'
import { openRepeatable } from './repeatable.ts'
import type { AttemptContext } from './sending/attempt.ts'
import type { Send } from './sending/send.ts'

export interface DelivererOptions {
  readonly store: AttemptStore
  /** Results wait in this queue while another process holds the database. */
  readonly writes: WriteQueue
  /** Tells of jobs that have changed: the end of one may have queued deliveries. */
  readonly live: Pick<LiveProgress, 'subscribe'>
  readonly clock: Clock
  readonly log: Log
  /** Certificates in PEM format, to trust beside those that are built in. */
  readonly ca: readonly string[]
  /** Counts attempts by the status that they gave their delivery. */
  readonly countAttempt: Counter
  readonly send: Send
}

/**
 * Attempts deliveries when they are due, a limited number at once, shared evenly between users. A delivery stays pending in
 * the database until the result of its attempt is recorded, so that a start after a crash attempts it again, with the same
 * id. Disposing of it gives running attempts a few seconds, then aborts them.
 */
export interface Deliverer extends AsyncDisposable {
  /** Begins to attempt deliveries, each within the policy of its time. */
  start(network: () => NetworkPolicy): void
  /** Looks for due deliveries soon. */
  wake(): void
}

interface Run extends OwnedNotifier {
  readonly aborter: AbortController
  ended: Promise<void>
}

export function openDeliverer(options: DelivererOptions): Deliverer {
  const { store, writes, clock, log } = options
  /** Notifiers with due deliveries. The one that was chosen the longest ago comes first. */
  const ready = new Map<string, OwnedNotifier>()
  /** By the ids of their deliveries. */
  const running = new Map<string, Run>()
  const closing = new AbortController()
  let isStarted = false
  let contextNow: () => AttemptContext = notStarted
  let timer: Timer | undefined
  let changes: Disposable | undefined
  const searches = openFailureLog(log, 'due deliveries could not be read')
  /** Finds notifiers with due deliveries, and fails the deliveries of disabled ones. */
  const search = openRepeatable(async () => {
    for (let after: string | undefined = ''; after !== undefined && isStarted; ) {
      const batch = store.pendingNotifiers(after, clock())
      for (const { notifierId, userId, kind, isDue, isDisabled } of batch) {
        if (isDisabled) store.failSomePending(notifierId)
        else if (isDue && !ready.has(notifierId)) ready.set(notifierId, { notifierId, userId, kind })
      }
      fill.run()
      after = batch.at(-1)?.notifierId
      await nextTurn()
    }
    searches.noteSuccess()
  }, searches.noteError)

  /** Begins one attempt per turn of the event loop, while one may begin. */
  const fill = openRepeatable(async () => {
    while (isStarted) {
      const notifier = chooseNotifier(ready.values(), [...running.values()])
      if (notifier === null) return
      ready.delete(notifier.notifierId)
      const delivery = nextDelivery(notifier.notifierId)
      if (delivery === null) continue
      ready.set(notifier.notifierId, notifier)
      begin(delivery, contextNow())
      await nextTurn()
    }
  }, searches.noteError)

  function nextDelivery(notifierId: string): DueDelivery | null {
    const now = clock()
    const ids = store.dueIds(notifierId, now, MAX_ATTEMPTS_OF_NOTIFIER + 1)
    const next = ids.find((id) => !running.has(id))
    return next === undefined ? null : store.load(next, now)
  }

  function begin(delivery: DueDelivery, attemptContext: AttemptContext): void {
    const { id, notifierId, userId, kind } = delivery
    const run: Run = { notifierId, userId, kind, aborter: new AbortController(), ended: Promise.resolve() }
    running.set(id, run)
    run.ended = perform(delivery, attemptContext, run.aborter).finally(() => {
      running.delete(id)
      fill.run()
    })
  }

  async function perform(delivery: DueDelivery, attemptContext: AttemptContext, aborter: AbortController) {
    const result = await resultOf(delivery, attemptContext, aborter)
    if (result === null) return await pauseBeforeRetry()
    const { message, attempts } = delivery
    await record(
      delivery,
      deliveryChangeAfter(result, { type: message.type, attempts }, clock(), Math.random),
    )
  }

  async function resultOf(
    delivery: DueDelivery,
    attemptContext: AttemptContext,
    aborter: AbortController,
  ): Promise<AttemptResult | null> {
    try {
      return await options.send(delivery, attemptContext, aborter)
    } catch (error) {
      log.error('a delivery could not be attempted', { delivery: delivery.id, error })
      return { responseStatus: null, error: 'Internal error' }
    }
  }

  /** Repeats until the database accepts the change: until then, the delivery must not be attempted again. */
  async function record(delivery: DueDelivery, change: DeliveryChange): Promise<void> {
    const tries = openFailureLog(log, 'the result of a delivery could not be recorded')
    const { id, notifierId } = delivery
    while (!closing.signal.aborted) {
      try {
        const disabled = await writes.run(() => store.record(delivery, change, clock()))
        const { status, responseStatus, error } = change
        options.countAttempt([status])
        log.debug('a delivery was attempted', {
          delivery: id,
          notifier: notifierId,
          status,
          responseStatus,
          error,
        })
        if (disabled !== null) {
          log.warn('a notifier was disabled', { notifier: notifierId, reason: disabled })
          ready.delete(notifierId)
          // Its other deliveries fail in the search, so that none of them waits for an attempt that never comes.
          search.run()
        }
        return
      } catch (error) {
        tries.noteError(error, { delivery: id })
        await pauseBeforeRetry()
      }
    }
  }

  async function pauseBeforeRetry(): Promise<void> {
    await pause(RETRY_MS, closing.signal).catch(() => {})
  }

  return {
    start(network) {
      const { ca } = alsoTrusting(options.ca)
      let policy: NetworkPolicy | null = null
      let context: AttemptContext | null = null
      contextNow = () => {
        const current = network()
        if (context !== null && policy === current) return context
        const guard = createAddressGuard(current, localAddresses)
        const resolver = new CheckedResolver(guard, closing.signal)
        policy = current
        context = { guard, resolver, timeoutMs: ATTEMPT_TIMEOUT_MS, ca }
        return context
      }
      isStarted = true
      timer = setInterval(search.run, SEARCH_INTERVAL_MS)
      changes = options.live.subscribe('all', ({ rowChanged }) => {
        if (rowChanged) search.run()
      })
      search.run()
    },
    wake: () => search.run(),
    async [Symbol.asyncDispose]() {
      isStarted = false
      clearInterval(timer)
      changes?.[Symbol.dispose]()
      const ended = Promise.all([...running.values()].map((run) => run.ended))
      await settlesWithin(ended, GRACE_MS)
      closing.abort()
      for (const { aborter } of running.values()) aborter.abort()
      await Promise.all([ended, search.ended(), fill.ended()])
    },
  }
}

function notStarted(): never {
  throw new Error('the deliverer has not started')
}

/** Enough for receivers, which should acknowledge a message before they process it. */
const ATTEMPT_TIMEOUT_MS = 10_000
/** Retries are found at most this long after they are due, and so are deliveries that another process has queued. */
const SEARCH_INTERVAL_MS = 1000
/** The delay before the next try when this machine, not the receiver, was the cause. */
const RETRY_MS = 2000
/** How long a stop of the service waits for running attempts. */
const GRACE_MS = 3000
