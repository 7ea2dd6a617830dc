import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '../bench/report/results.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

let dir: TempDir
beforeEach(() => {
  dir = tempDir()
  mkdirSync(dir.file('tmp'))
})
afterEach(() => {
  dir[Symbol.dispose]()
})

test('The benchmark runs the selected measurements, and leaves only its results', async () => {
  const child = startBenchmark('--only', 'W1,burst')
  expect(await child.stdout.text()).toContain('| W1, service, first job / ceiling ')
  expect(await child.exited).toBe(0)
  const results: Results = await Bun.file(dir.file('out/results.json')).json()
  expect(results.measurements.map(({ name }) => name)).toEqual(['W1', 'burst'])
  const [w1] = results.measurements
  for (const name of ['ceiling', 'holdall zip', 'service, first job', 'service, fourth job']) {
    expect(w1?.timings.find((timing) => timing.name === name)?.seconds?.median).toBeGreaterThan(0)
  }
  const failed = w1?.timings.filter(({ absence }) => absence?.startsWith('failed'))
  expect(failed).toEqual([])
  expect(readdirSync(dir.file('tmp'))).toEqual([])
})

test('A benchmark that is stopped leaves no files', async () => {
  const child = startBenchmark('--only', 'memory-W1')
  const reader = child.stdout.getReader()
  let text = ''
  while (!text.includes('Rounds: 1')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`The benchmark has ended: ${text}`)
    text += new TextDecoder().decode(value)
  }
  child.kill('SIGINT')
  while (!(await reader.read()).done);
  expect(await child.exited).toBe(1)
  expect(readdirSync(dir.file('tmp'))).toEqual([])
})

function startBenchmark(...args: readonly string[]) {
  const script = join(import.meta.dir, '../bench/run.ts')
  const fixed = ['--rounds', '1', '--scale', '0.002', '--out', dir.file('out')]
  return Bun.spawn([process.execPath, script, ...fixed, ...args], {
    env: { ...process.env, TMPDIR: dir.file('tmp') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
