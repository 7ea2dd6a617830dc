import { describe, expect, test } from 'bun:test'
import { readBenchArguments } from './arguments.ts'

const KNOWN = ['W1', 'W2', 'tiny-idle', 'tiny-behind', 'start']

function read(...args: string[]) {
  return readBenchArguments(args, KNOWN, '/results')
}

describe('The arguments of the benchmark', () => {
  test('select all measurements at full size by default', () => {
    expect(read()).toEqual({ rounds: 5, scale: 1, outDir: '/results', names: KNOWN })
  })

  test('select measurements by name or by the first part of a name, in the order of the list', () => {
    expect(read('--only', 'tiny,W1').names).toEqual(['W1', 'tiny-idle', 'tiny-behind'])
    expect(read('--only', 'tiny-idle').names).toEqual(['tiny-idle'])
    expect(read('--only', 'w2').names).toEqual(['W2'])
  })

  test('set the rounds, the scale and the output directory', () => {
    expect(read('--rounds', '3', '--scale', '0.01', '--out', '/there')).toMatchObject({
      rounds: 3,
      scale: 0.01,
      outDir: '/there',
    })
  })

  test.each([
    [['--only', 'W1,W9'], 'there is no w9'],
    [['--only', 'tin'], 'there is no tin'],
    [['--rounds', '0'], '--rounds'],
    [['--rounds', '1.5'], '--rounds'],
    [['--scale', '0'], '--scale'],
    [['--scale', 'much'], '--scale'],
    [['--turbo'], 'turbo'],
  ])('refuse %p', (args, reason) => {
    expect(() => read(...args)).toThrow(reason)
  })
})
