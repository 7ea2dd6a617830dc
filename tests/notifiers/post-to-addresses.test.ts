import { expect, test } from 'bun:test'
import { parseSourceUrl } from '../../server/fetching/source-url.ts'
import { alsoTrusting } from '../../server/fetching/verified-tls.ts'
import { postToAddresses } from '../../server/notifiers/sending/post-to-addresses.ts'
import { tempDir } from '../support/temp-dir.ts'
import { type Certificate, selfSigned, signed } from '../support/test-certificates.ts'

const { signal } = new AbortController()

test('a message is posted with the Host of its URL, whatever the address, and with its own headers', async () => {
  await using receiver = listeningAt('127.0.0.1')
  const url = parseSourceUrl(`http://a.example:${receiver.port}/`)
  const post = { url, headers: { 'webhook-id': 'msg_1' }, body: 'text' }
  const response = await postToAddresses(['127.0.0.1'], post, signal)
  expect(await response.json()).toEqual(['POST', `a.example:${receiver.port}`, 'msg_1', 'text'])
})

test('an address that refuses connections is followed by the next one, and the last failure counts', async () => {
  await using receiver = listeningAt('127.0.0.1')
  const post = { url: parseSourceUrl(`http://a.example:${receiver.port}/`), headers: {}, body: '' }
  const response = await postToAddresses(['127.0.0.2', '127.0.0.1'], post, signal)
  expect(response.status).toBe(200)
  await expect(postToAddresses(['127.0.0.2'], post, signal)).rejects.toThrow('Connection refused')
})

test('a receiver may have a certificate of an authority that the settings name', async () => {
  using dir = tempDir()
  const { cert } = await selfSigned(dir, 'authority.test')
  await using receiver = listeningAt('127.0.0.1', await signed(dir, 'a.example', 'authority.test', 1))
  const post = { url: parseSourceUrl(`https://a.example:${receiver.port}/`), headers: {}, body: '' }
  await expect(postToAddresses(['127.0.0.1'], post, signal)).rejects.toThrow('TLS certificate not trusted')
  const response = await postToAddresses(['127.0.0.1'], { ...post, ...alsoTrusting([cert]) }, signal)
  expect(response.status).toBe(200)
})

function listeningAt(hostname: string, tls?: Certificate) {
  return Bun.serve({
    port: 0,
    hostname,
    ...(tls === undefined ? {} : { tls }),
    fetch: async (request) => {
      const { method, headers } = request
      return Response.json([method, headers.get('host'), headers.get('webhook-id'), await request.text()])
    },
  })
}
