// test group: long
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { clientOf, signIn, signInOwner } from '../support/client.ts'
import { addUser, type Holdall, startHoldall } from '../support/executable.ts'
import { expectAllAnswered, percentile, probeHealth } from '../support/health-probe.ts'
import { idOf, startReceiver, verified } from '../support/receiver.ts'

const DELIVERIES = 10_000
const MESSAGES_OF_OTHERS = 3
/** How much the peak of the memory may grow between the first thousand deliveries and the last. */
const MAX_GROWTH_BYTES = 40_000_000
/** The 99th percentile, on a machine that does much else, too. On an idle one, the slowest response took 5 ms. */
const SLOWEST_HEALTH_MS = 500

test('10,000 queued deliveries arrive once each in bounded memory, and neither requests nor other users wait', async () => {
  await using receiver = startReceiver()
  await using other = startReceiver()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const { webhook } = JSON.parse(
    await (await client.request('POST', '/webhooks', { url: receiver.url() })).text(),
  )
  const { key } = await signIn(addUser(holdall, 'other'))
  const otherClient = clientOf(() => holdall.address, key)
  const created = await otherClient.request('POST', '/webhooks', { url: other.url() })
  const { id: otherId } = JSON.parse(await created.text()).webhook
  await holdall.stop()
  queueDeliveries(holdall, webhook.id)
  await holdall.restart()
  const probe = await probeHealth(holdall.address)

  await receiver.untilReceived(1_000)
  const earlyBytes = holdall.peakMemoryBytes()
  for (let sent = 1; sent <= MESSAGES_OF_OTHERS; sent++) {
    await otherClient.request('POST', `/webhooks/${otherId}/test`)
    await other.untilReceived(sent)
  }
  expect(receiver.received.length).toBeLessThan(DELIVERIES - 1_000)
  await receiver.untilReceived(DELIVERIES)
  const times = await probe.finish()
  const growthBytes = holdall.peakMemoryBytes() - earlyBytes
  expect(new Set(receiver.received.map(idOf)).size).toBe(DELIVERIES)
  expect(receiver.received).toHaveLength(DELIVERIES)
  for (const message of receiver.received.filter((_, index) => index % 100 === 0))
    expect(verified(message, webhook.secret).type).toBe('job.completed')
  expect(growthBytes).toBeLessThan(MAX_GROWTH_BYTES)
  expectAllAnswered(times)
  expect(percentile(times, 99)).toBeLessThan(SLOWEST_HEALTH_MS)
}, 120_000)

/** Writes events of completed jobs with a delivery each, as the ends of the jobs would have. */
function queueDeliveries({ dataDir }: Holdall, webhookId: string): void {
  using db = new Database(join(dataDir, 'holdall.db'))
  const errors = Array.from({ length: 20 }, (_, index) => ({
    url: `https://example.com/${index}`,
    error: 'HTTP 404',
  }))
  const counts = { urlCount: 100, fileCount: 80, zipBytes: 1_000_000, errorCount: errors.length }
  const end = { failure: null, expiresAt: Date.now(), metadata: {}, scheduleId: null, changes: null }
  const snapshot = JSON.stringify({ status: 'completed', ...counts, errors, ...end })
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DELIVERIES})
     INSERT INTO notifier_events (id, user_id, type, job_id, snapshot, created_at)
     SELECT 'event ' || i, user_id, 'job.completed', notifiers.id, ?, ? FROM n, notifiers WHERE notifiers.id = ?`,
    [snapshot, Date.now(), webhookId],
  )
  db.run(
    `INSERT INTO notifier_deliveries (id, notifier_id, event_id, status, created_at, next_attempt_at)
     SELECT 'delivery ' || id, ?, id, 'pending', created_at, created_at FROM notifier_events`,
    [webhookId],
  )
}
