import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { clientOf, signIn, signInOwner } from '../support/client.ts'
import { addUser, type Holdall, startHoldall } from '../support/executable.ts'
import { startReceiver } from '../support/receiver.ts'
import { watchService } from '../support/service-watch.ts'
import { startTcpServer } from '../support/tcp-server.ts'
import { until } from '../support/until.ts'

const RECEIVERS = 1_000
const MESSAGES_OF_OTHERS = 20

test('1,000 receivers that hang delay neither requests nor the messages of another user, in bounded memory', async () => {
  let connections = 0
  await using hanging = await startTcpServer((socket) => {
    connections += 1
    socket.resume()
  }, '0.0.0.0')
  await using receiver = startReceiver()
  await using holdall = await startHoldall()
  await signInOwner(holdall)
  const { key } = await signIn(addUser(holdall, 'other'))
  const other = clientOf(() => holdall.address, key)
  const created = await other.request('POST', '/webhooks', { url: receiver.url() })
  const { id } = JSON.parse(await created.text()).webhook
  await holdall.stop()
  queueForHanging(holdall, hanging.host, id)
  await holdall.restart()
  const watch = await watchService(holdall)
  await until('a message goes to the receiver that hangs', () => connections > 0)
  const waits: number[] = []
  for (let sent = 1; sent <= MESSAGES_OF_OTHERS; sent++) {
    const startedMs = performance.now()
    // More tests of a webhook per minute are refused.
    const path = sent % 2 === 0 ? '/jobs' : `/webhooks/${id}/test`
    const body = sent % 2 === 0 ? { urls: ['http://127.0.0.1:1/'] } : undefined
    expect((await other.request('POST', path, body)).status).toBeLessThan(300)
    await receiver.untilReceived(sent)
    waits.push(performance.now() - startedMs)
  }
  console.log(`${connections} hanging connections; the slowest message ${Math.max(...waits).toFixed(0)} ms`)
  console.log(`1,000 receivers that hang: ${await watch.finish()}`)
  expect(Math.max(...waits)).toBeLessThan(MAX_WAIT_MS)
}, 120_000)

/** Includes a job that fails, and its attempts. */
const MAX_WAIT_MS = 15_000

/** Gives the owner webhooks at addresses of their own, each with a delivery, as copies of a webhook of another user. */
function queueForHanging({ dataDir }: Holdall, host: string, otherId: string): void {
  const port = host.split(':')[1]
  using db = new Database(join(dataDir, 'holdall.db'))
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECEIVERS})`
  const owner = `(SELECT id FROM users WHERE name <> 'other')`
  db.run(
    `${numbers} INSERT INTO notifiers (id, user_id, kind, target, origin, events, secret, created_at)
     SELECT 'hanging ' || i, ${owner}, kind, 'http://127.1.' || (i / 250) || '.' || (i % 250 + 1) || ':${port}/', origin, events, secret, created_at
     FROM n, notifiers WHERE notifiers.id = ?`,
    [otherId],
  )
  db.run(
    `INSERT INTO notifier_events (id, user_id, type, job_id, snapshot, created_at)
     SELECT 'event', ${owner}, 'ping', NULL, NULL, ?`,
    [Date.now()],
  )
  db.run(
    `INSERT INTO notifier_deliveries (id, notifier_id, event_id, status, created_at, next_attempt_at)
     SELECT 'delivery ' || id, id, 'event', 'pending', ?1, ?1 FROM notifiers WHERE id LIKE 'hanging %'`,
    [Date.now()],
  )
}
