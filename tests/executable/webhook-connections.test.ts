import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { startReceiver, verified } from '../support/receiver.ts'
import { tempDir } from '../support/temp-dir.ts'
import { selfSigned } from '../support/test-certificates.ts'
import { until } from '../support/until.ts'

/** Nothing listens there. */
const PROXY = 'http://127.0.0.1:1'

test('a message is posted over TLS to the name of the URL, and never through a proxy of the environment', async () => {
  using dir = tempDir()
  await using receiver = startReceiver(await selfSigned(dir, 'localhost'))
  await using holdall = await startHoldall({
    args: ['--allow-network', '::1/128'],
    env: {
      NODE_EXTRA_CA_CERTS: dir.file('localhost.crt'),
      HTTP_PROXY: PROXY,
      HTTPS_PROXY: PROXY,
      http_proxy: PROXY,
      https_proxy: PROXY,
    },
  })
  const client = await signInOwner(holdall)
  const created = await client.request('POST', '/webhooks', { url: receiver.url() })
  const { webhook } = JSON.parse(await created.text())
  await client.request('POST', `/webhooks/${webhook.id}/test`)
  const [message] = await receiver.untilReceived(1)
  expect(message?.headers.host).toBe(new URL(receiver.url()).host)
  expect(verified(message, webhook.secret).type).toBe('ping')
}, 120_000)

test('nothing is sent to a receiver whose certificate is not trusted', async () => {
  using dir = tempDir()
  await using receiver = startReceiver(await selfSigned(dir, 'localhost'))
  await using holdall = await startHoldall({ args: ['--allow-network', '::1/128'] })
  const client = await signInOwner(holdall)
  const created = await client.request('POST', '/webhooks', { url: receiver.url() })
  const { id } = JSON.parse(await created.text()).webhook
  await client.request('POST', `/webhooks/${id}/test`)
  const delivery = await until('the delivery has ended', async () => {
    const response = await client.request('GET', `/webhooks/${id}/deliveries`)
    const [newest] = JSON.parse(await response.text()).deliveries
    return newest.status !== 'pending' && newest
  })
  expect(delivery).toMatchObject({ status: 'failed', error: 'TLS certificate not trusted' })
  expect(receiver.received).toEqual([])
}, 120_000)
