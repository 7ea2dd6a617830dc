import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { likelyEntryName, numberDuplicates } from '../../../server/archive/names/entry-name.ts'
import { NamesAsDecided } from '../../../server/engine/settling/names-as-decided.ts'

const url = (path: string) => ({ hostname: 'h', pathname: path })

/** A URL: the name that the client requested or null, the name in the response, its content type, and whether it fails. */
const source = fc.record({
  filename: fc.option(
    fc.constantFrom(
      'a',
      'A.txt',
      'a (2).txt',
      'a (2)',
      'a/b',
      'b/a.txt',
      'a (2)/c',
      'b',
      'report',
      'x.tar.gz',
    ),
    { nil: null, freq: 2 },
  ),
  headerName: fc.constantFrom('a', 'a.txt', 'a (2).txt', 'b', 'report.pdf', 'x.tar.gz', 'x (2).tar.gz'),
  contentType: fc.constantFrom(null, 'application/pdf'),
  isFailed: fc.boolean(),
})

describe('While entries are still to come', () => {
  test('a name that is called final is the one in the finished archive, and in the end all are final', () => {
    fc.assert(
      fc.property(fc.array(source, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (sources, random) => {
        const names = new NamesAsDecided()
        for (const { filename } of sources) names.list(filename)
        const likely = sources.map(({ filename, headerName, contentType, isFailed }) =>
          isFailed ? null : likelyEntryName({ url: url('/u'), filename }, { headerName, contentType }),
        )
        const final = finalNamesOf(likely)
        const waiting = sources.map((_, position) => position)
        while (waiting.length > 0) {
          const [position = 0] = waiting.splice((random.next().value ?? 0) % waiting.length, 1)
          names.decide(position, likely[position] ?? null)
          const asked = (random.next().value ?? 0) % sources.length
          const known = names.finalName(asked)
          if (known !== null) expect(known).toBe(final[asked] ?? 'none')
        }
        expect(sources.map((_, position) => names.finalName(position))).toEqual(final)
      }),
      { numRuns: 3_000 },
    )
  })

  test('a requested name is final when no earlier URL can take it, whatever the others are called', () => {
    const names = new NamesAsDecided()
    for (const filename of ['slow.bin', 'a.bin', 'a.bin', 'slow.bin', null]) names.list(filename)
    names.decide(1, 'a.bin')
    names.decide(2, 'a.bin')
    names.decide(3, 'slow.bin')
    names.decide(4, 'b.bin')
    expect([1, 2, 3, 4].map((position) => names.finalName(position))).toEqual([
      'a.bin',
      'a (2).bin',
      null,
      'b.bin',
    ])
    names.decide(0, null)
    expect(names.finalName(3)).toBe('slow.bin')
  })

  test('any other name is final when all earlier URLs without a requested name are decided', () => {
    const names = new NamesAsDecided()
    for (const filename of [null, null, 'x.bin']) names.list(filename)
    names.decide(1, 'b.bin')
    names.decide(2, 'x.bin')
    expect([names.finalName(1), names.finalName(2)]).toEqual([null, null])
    names.decide(0, 'b.bin')
    expect([0, 1, 2].map((position) => names.finalName(position))).toEqual(['b.bin', 'b (2).bin', 'x.bin'])
  })

  test('a file waits for a later URL that may need a folder of its name', () => {
    const names = new NamesAsDecided()
    for (const filename of ['a', 'a/b.bin']) names.list(filename)
    names.decide(0, 'a')
    expect(names.finalName(0)).toBeNull()
    names.decide(1, 'a/b.bin')
    expect(names.finalName(0)).toBe('a (2)')
  })

  test('a name that is kept stays, and an earlier URL that comes again gets a number', () => {
    const names = new NamesAsDecided()
    for (const filename of [null, null]) names.list(filename)
    names.decide(0, null)
    names.decide(1, 'a.bin')
    names.keep(1, 'a.bin')
    names.undecide(0)
    names.decide(0, 'a.bin')
    expect([names.finalName(0), names.finalName(1)]).toEqual(['a (2).bin', 'a.bin'])
  })
})

function finalNamesOf(likely: readonly (string | null)[]): (string | null)[] {
  const numbered = numberDuplicates(likely.filter((name) => name !== null))
  return likely.map((name) => (name === null ? null : (numbered.shift() ?? null)))
}
