import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { type Contender, NotInstalled } from './contenders/contender.ts'
import { ratioOf, timingsOf } from './measurements/measurement.ts'
import { takeTurns } from './take-turns.ts'

describe('Contenders', () => {
  test('run once per round, and each round starts with another contender', async () => {
    const order: string[] = []
    const contenders = ['a', 'b', 'c'].map((name) => contender(name, () => order.push(name)))
    await turns(contenders, 4)
    expect(order.join('')).toBe('abcbcacababc')
  })

  test('are compared round by round', async () => {
    const { a, b } = { a: [10, 40], b: [20, 20] }
    const taken = await turns([contender('a', () => a.shift()), contender('b', () => b.shift())], 2)
    expect(ratioOf(taken, 'a', 'b')).toEqual([0.5, 2])
    expect(ratioOf(taken, 'a', 'nobody')).toEqual([])
  })

  test('that are peers may fail: they are reported, and the others continue', async () => {
    const failing = contender('peer', () => {
      throw new Error('it broke')
    })
    const taken = await turns([{ ...failing, isPeer: true }, contender('own', () => 1)], 3)
    expect(taken.samples.get('own')).toHaveLength(3)
    expect(taken.samples.has('peer')).toBe(false)
    expect(timingsOf(taken).map(({ name, absence }) => [name, absence])).toEqual([
      ['own', null],
      ['peer', 'failed: it broke'],
    ])
  })

  test('that cannot be installed are absent', async () => {
    const absent = contender('peer', () => {
      throw new NotInstalled('not installed: no network')
    })
    const taken = await turns([{ ...absent, isPeer: true }], 1)
    expect(taken.absences.get('peer')).toBe('not installed: no network')
  })

  test('that are not peers must not fail', async () => {
    const failing = contender('own', () => {
      throw new Error('it broke')
    })
    await expect(turns([failing], 1)).rejects.toThrow('it broke')
  })

  test('that are absent do not run', async () => {
    const taken = await turns([{ ...contender('peer', () => 1), absence: 'not installed: go' }], 1)
    expect(taken.samples.size).toBe(0)
    expect(taken.absences.get('peer')).toBe('not installed: go')
  })
})

function contender(name: string, wallMs: () => number | undefined): Contender {
  return {
    name,
    absence: null,
    isPeer: false,
    run: async () => ({ [name]: { wallMs: wallMs() ?? 0, peakBytes: null, archiveBytes: null } }),
  }
}

function turns(contenders: readonly Contender[], rounds: number) {
  return takeTurns(contenders, { rounds, signal: new AbortController().signal, workDir: tmpdir() })
}
