import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { generateSecret, signedHeaders } from '../../server/notifiers/sending/signing.ts'

test('every message that is signed verifies with each of its secrets, and with no other', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 100 }).map((text) => JSON.stringify({ text }))
  fc.assert(
    fc.property(texts, fc.uuid(), (body, id) => {
      const [newer, older, other] = [generateSecret(), generateSecret(), generateSecret()]
      const headers = signedHeaders(id, body, [newer, older], Date.now())
      for (const secret of [newer, older])
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => new Webhook(other).verify(body, headers)).toThrow()
      expect(() => new Webhook(newer).verify(`${body} `, headers)).toThrow()
      expect(() => new Webhook(newer).verify(body, { ...headers, 'webhook-id': `${id}x` })).toThrow()
    }),
  )
})

test('a signature is the one that the package makes', () => {
  const secret = generateSecret()
  const at = new Date(1_700_000_000_999)
  expect(signedHeaders('id', '{"a":"ü"}', [secret], at.getTime())).toEqual({
    'webhook-id': 'id',
    'webhook-timestamp': '1700000000',
    'webhook-signature': new Webhook(secret).sign('id', at, '{"a":"ü"}'),
  })
})

test('a secret has 32 random bytes', () => {
  const secret = generateSecret()
  expect(secret).toStartWith('whsec_')
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  expect(generateSecret()).not.toBe(secret)
})
