import { describe, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { StartRefused } from '../../server/errors.ts'
import { openSealing } from '../../server/sites/sealing.ts'
import { forFile } from '../support/for-file.ts'
import { tempDir } from '../support/temp-dir.ts'

const dir = forFile(tempDir())

describe('What is sealed', () => {
  test('is opened by the same key, also after a restart', () => {
    const sealed = openSealing(dir.file('key')).seal('secret ü', 'site 1')
    expect(openSealing(dir.file('key')).open(sealed, 'site 1')).toBe('secret ü')
  })

  test('differs each time, and does not contain the secret', () => {
    const sealing = openSealing(dir.file('key'))
    const [one, other] = [sealing.seal('secret', 'a'), sealing.seal('secret', 'a')]
    expect(one.equals(other)).toBe(false)
    expect(one.includes('secret')).toBe(false)
  })

  test('is not opened for another context, by another key, or when a byte of it has changed', () => {
    const sealing = openSealing(dir.file('key'))
    const sealed = sealing.seal('secret', 'site 1 https://example.org')
    expect(sealing.open(sealed, 'site 1 https://evil.example')).toBeNull()
    expect(openSealing(dir.file('other')).open(sealed, 'site 1 https://example.org')).toBeNull()
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(sealing.open(changed, 'site 1 https://example.org')).toBeNull()
    }
    for (let length = 0; length < sealed.length; length++)
      expect(sealing.open(sealed.subarray(0, length), 'site 1 https://example.org')).toBeNull()
  })
})

describe('The file of the key', () => {
  test('is readable by its owner only', () => {
    openSealing(dir.file('private'))
    expect(statSync(dir.file('private')).mode & 0o777).toBe(0o600)
  })

  test.each(['', 'x', `${'0'.repeat(64)}`, `${'0'.repeat(63)}\n`])('is refused when it has %p', (text) => {
    writeFileSync(dir.file('wrong'), text)
    expect(() => openSealing(dir.file('wrong'))).toThrow(StartRefused)
  })
})
