import { expect, test } from 'bun:test'
import { displayPrefix, generateApiKey, isApiKey } from '../../server/keys/api-key.ts'

test('all keys have the same length and prefix, and a checksum that detects a change of any character', () => {
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

test('the displayed prefix of a key has six random characters', () => {
  expect(displayPrefix(generateApiKey())).toMatch(/^hold_\w{6}$/)
})
