import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { hostsFileAddresses, parseHosts } from '../../../server/fetching/addresses/hosts-file.ts'
import { cpuTimeRatio } from '../../support/cpu-time.ts'
import { tempDir } from '../../support/temp-dir.ts'

test('an unchanged file is parsed once: a thousand look-ups take less time than parsing it ten times', () => {
  using dir = tempDir()
  const path = dir.file('hosts')
  const text = Array.from({ length: 100_000 }, (_, n) => `0.0.0.0 blocked-${n}.test`).join('\n')
  writeFileSync(path, text)
  const lookUp = () => {
    for (let n = 0; n < 1_000; n++) expect(hostsFileAddresses(path, `blocked-${n}.test`)).toHaveLength(1)
  }
  expect(cpuTimeRatio(lookUp, () => parseHosts(text))).toBeLessThan(10)
})
