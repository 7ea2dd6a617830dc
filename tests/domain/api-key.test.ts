import { expect, test } from 'bun:test'
import { displayPrefix, generateApiKey, isApiKey } from '../../server/keys/api-key.ts'

test('keys have one length, one prefix and a check that finds every changed character', () => {
  const key = generateApiKey()
  expect(key).toMatch(/^hold_[0-9A-Za-z]{49}$/)
  expect(isApiKey(key)).toBe(true)
  for (let index = 5; index < key.length; index++) {
    const changed = `${key.slice(0, index)}${key[index] === 'x' ? 'y' : 'x'}${key.slice(index + 1)}`
    expect(isApiKey(changed)).toBe(false)
  }
})

test('no two generated keys are equal', () => {
  expect(new Set(Array.from({ length: 1_000 }, generateApiKey)).size).toBe(1_000)
})

test('the prefix that is shown of a key is not a valid key', () => {
  expect(displayPrefix(generateApiKey())).toMatch(/^hold_\w{6}$/)
})
