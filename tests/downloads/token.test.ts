import { expect, test } from 'bun:test'
import { signToken, verifyToken } from '../../server/downloads/token.ts'

const older = { id: '00000a', bytes: new Uint8Array(32).fill(1) }
const newer = { id: '00000b', bytes: new Uint8Array(32).fill(2) }
const grant = {
  of: 'job',
  id: '0198c1de-7d1c-7a3e-8b1f-0123456789ab',
  expiresAt: Date.UTC(2026, 6, 1, 12),
} as const

test('verifying a token returns the grant that was signed', () => {
  expect(verifyToken(signToken(grant, newer), [newer])).toEqual(grant)
})

test('a token of a schedule is not one of a job with the same id', () => {
  const ofSchedule = { ...grant, of: 'schedule' } as const
  expect(signToken(ofSchedule, newer)).not.toBe(signToken(grant, newer))
  expect(verifyToken(signToken(ofSchedule, newer), [newer])).toEqual(ofSchedule)
})

test('a token of an older secret is valid as long as that secret is kept', () => {
  const token = signToken(grant, older)
  expect(verifyToken(token, [older, newer])).toEqual(grant)
  expect(verifyToken(token, [newer])).toBeNull()
})

test('a token that names a known secret but is signed with another one is invalid', () => {
  const forged = signToken(grant, { ...newer, bytes: older.bytes })
  expect(verifyToken(forged, [newer])).toBeNull()
})
