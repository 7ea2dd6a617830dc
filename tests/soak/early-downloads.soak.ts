import { expect, test } from 'bun:test'
import { runEarlyDownloads } from '../support/early-download-case.ts'

const CASES = 500

test(
  'An early download is the finished archive, or its client knows that it failed, in 500 random cases with kills and cuts',
  async () => {
    const firstSeed = Math.floor(Math.random() * 1_000_000)
    console.log(`seeds from ${firstSeed}`)
    const { wrong, ...totals } = await runEarlyDownloads(firstSeed, CASES)
    console.log(JSON.stringify(totals))
    expect(wrong).toEqual([])
    expect(totals.whole).toBeGreaterThan(CASES / 2)
    expect(totals.kills).toBeGreaterThan(20)
    expect(totals.stored).toBeGreaterThan(CASES / 8)
    expect(totals.segments).toBeGreaterThan(CASES / 8)
    expect(totals.withManifest).toBeGreaterThan(CASES / 8)
  },
  30 * 60_000,
)
