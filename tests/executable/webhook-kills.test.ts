import { expect, test } from 'bun:test'
import type { WebhookWithSecretJson } from '../../server/http/webhooks/schemas.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { idOf, type ReceivedMessage, type Receiver, startReceiver, verified } from '../support/receiver.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startSources } from '../support/sources.ts'
import { until } from '../support/until.ts'

const TEST_TIMEOUT_MS = 240_000

test(
  'a delivery that no attempt has begun for at a kill arrives after the next start, with its id from before',
  async () => {
    await using receiver = startReceiver()
    await using sources = startSources()
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const hang = () => new Promise<Response>(() => {})
    receiver.respond(hang)
    // Attempts that hang take all eight that a user has at once.
    for (const index of [1, 2, 3, 4]) {
      const { id } = await createWebhook(client, receiver.url(`/hanging/${index}`))
      for (let count = 0; count < 2; count++) await client.request('POST', `/webhooks/${id}/test`)
    }
    await receiver.untilReceived(8)
    const { id, secret } = await createWebhook(client, receiver.url('/waiting'))
    const jobId = await client.createJob({ urls: [sources.url('/ok/a')] })
    await client.untilEnded(jobId)
    const [queued] = await deliveriesOf(client, id)
    expect(queued).toMatchObject({ job_id: jobId, status: 'pending', attempts: 0 })
    await holdall.kill()
    expect(receiver.received.some(({ path }) => path === '/waiting')).toBe(false)
    receiver.respond(() => new Response(null, { status: 204 }))
    await holdall.restart()
    const message = await untilFound(receiver, ({ path }) => path === '/waiting')
    expect(idOf(message)).toBe(queued?.id ?? '')
    expect(verified(message, secret)).toMatchObject({ type: 'job.completed', data: { job_id: jobId } })
  },
  TEST_TIMEOUT_MS,
)

test(
  'a delivery whose attempt runs at a kill arrives again after the next start, with the same id',
  async () => {
    await using receiver = startReceiver()
    await using sources = startSources()
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const { id, secret } = await createWebhook(client, receiver.url())
    receiver.respond(() => new Promise(() => {}))
    await client.createJob({ urls: [sources.url('/404')] })
    await receiver.untilReceived(1)
    await holdall.kill()
    receiver.respond(() => new Response(null, { status: 204 }))
    await holdall.restart()
    const [first, second] = await receiver.untilReceived(2)
    expect(idOf(second)).toBe(idOf(first))
    expect(verified(second, secret)).toEqual(verified(first, secret))
    await untilDelivered(client, id)
    expect(receiver.received).toHaveLength(2)
  },
  TEST_TIMEOUT_MS,
)

test(
  'a kill during a rotation leaves every delivery signed with the last secret that the owner was shown',
  async () => {
    const random = seededRandom(7)
    await using receiver = startReceiver()
    await using sources = startSources()
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const { id, secret } = await createWebhook(client, receiver.url())
    let shown = secret
    for (let round = 0; round < ROTATIONS; round++) {
      receiver.respond(() => new Promise(() => {}))
      const before = receiver.received.length
      const jobId = await client.createJob({ urls: [sources.url('/ok/a')] })
      const messages = await receiver.untilReceived(before + 1)
      const deliveryId = idOf(messages.at(-1))
      const rotation = client
        .request('POST', `/webhooks/${id}/rotate`)
        .then(webhookIn)
        .catch(() => null)
      // At any moment of the rotation: nothing outside shows how far it is.
      await Bun.sleep(random() * MAX_ROTATION_MS)
      await holdall.kill()
      const rotated = await rotation
      const older = shown
      if (rotated !== null) {
        shown = rotated.secret
      }
      receiver.respond(() => new Response(null, { status: 204 }))
      await holdall.restart()
      const message = await untilFound(receiver, (each) => idOf(each) === deliveryId, before + 1)
      expect(verified(message, shown).data.job_id).toBe(jobId)
      expect(verified(message, older).data.job_id).toBe(jobId)
      await untilDelivered(client, id)
    }
  },
  TEST_TIMEOUT_MS,
)

const ROTATIONS = 6
/** A rotation takes some milliseconds, most of them to sync the database. */
const MAX_ROTATION_MS = 12

async function createWebhook(client: Client, url: string): Promise<WebhookWithSecretJson> {
  const response = await client.request('POST', '/webhooks', { url })
  expect(response.status).toBe(201)
  return webhookIn(response)
}

async function webhookIn(response: Response): Promise<WebhookWithSecretJson> {
  return JSON.parse(await response.text()).webhook
}

async function deliveriesOf(client: Client, id: string): Promise<{ id: string; status: string }[]> {
  const response = await client.request('GET', `/webhooks/${id}/deliveries`)
  return JSON.parse(await response.text()).deliveries
}

async function untilDelivered(client: Client, id: string): Promise<void> {
  await until('every message is delivered', async () =>
    (await deliveriesOf(client, id)).every(({ status }) => status === 'delivered'),
  )
}

/** The first message from `start` on for which the condition holds. */
async function untilFound(
  receiver: Receiver,
  condition: (message: ReceivedMessage) => boolean,
  start = 0,
): Promise<ReceivedMessage> {
  for (;;) {
    const found = receiver.received.slice(start).find(condition)
    if (found !== undefined) return found
    await receiver.untilReceived(receiver.received.length + 1)
  }
}
