import type { Database } from '../db/open.ts'
import { createAddressGuard } from '../fetching/addresses/guard.ts'
import { localAddresses } from '../fetching/addresses/local-addresses.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { openAttemptStore } from './attempt-store.ts'
import { checkWebhookUrl } from './check-url.ts'
import { type DelivererOptions, openDeliverer } from './deliverer.ts'
import { openDeliveryStore } from './delivery-store.ts'
import { openWebhookStore } from './webhook-store.ts'
import { openWebhooks, type Webhooks } from './webhooks.ts'

export interface WebhookServiceOptions extends Omit<DelivererOptions, 'store' | 'countAttempt'> {
  readonly db: Database
  readonly live: LiveProgress
  readonly metrics: Metrics
  /** CIDR notation, as given to `--allow-network`. */
  readonly allowedNetworks: readonly string[]
}

/** All parts of the webhooks of a running service. Disposing of it stops the deliveries. */
export interface WebhookService extends AsyncDisposable {
  /** What users do. */
  readonly webhooks: Webhooks
  /** Begins to attempt deliveries. `ownPort` is the service's own, which is always refused. */
  start(ownPort: number): void
}

export function openWebhookService(options: WebhookServiceOptions): WebhookService {
  const { db, live, metrics, allowedNetworks, clock } = options
  const deliverer = openDeliverer({
    ...options,
    store: openAttemptStore(db),
    countAttempt: metrics.counter(
      'holdall_webhook_attempts_total',
      'Attempts of webhook deliveries by the status that they gave the delivery.',
      ['status'],
    ),
  })
  // Each attempt checks the service's own port, which is not known yet.
  const guard = createAddressGuard({ allowedNetworks, ownPort: null }, localAddresses)
  const webhooks = openWebhooks({
    db,
    store: openWebhookStore(db),
    deliveries: openDeliveryStore(db),
    clock,
    checkUrl: (url) => checkWebhookUrl(url, guard, allowedNetworks.length > 0),
    wake: deliverer.wake,
  })
  let subscription: Disposable | null = null
  return {
    webhooks,
    start(ownPort) {
      deliverer.start({ allowedNetworks, ownPort })
      // An end of a job may have queued deliveries.
      subscription = live.subscribe('all', ({ rowChanged }) => {
        if (rowChanged) deliverer.wake()
      })
    },
    async [Symbol.asyncDispose]() {
      subscription?.[Symbol.dispose]()
      await deliverer[Symbol.asyncDispose]()
    },
  }
}
