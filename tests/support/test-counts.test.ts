import { describe, expect, test } from 'bun:test'
import { tempDir } from './temp-dir.ts'
import { countJUnit, countPlaywright, judge } from './test-counts.ts'

describe('The count of a run of `bun test`', () => {
  test.each([
    ['includes passed and failed tests', "test('a', () => {}); test('b', () => { throw new Error() })", 1, 1],
    [
      'includes tests in groups and tables',
      "describe('g', () => { test.each([1, 2, 3])('%d', () => {}) })",
      3,
      0,
    ],
    [
      'includes neither skipped tests nor todos',
      "test('a', () => {}); test.skip('b', () => {}); test.todo('c')",
      1,
      0,
    ],
    ['has a failure for a file that does not load', "import './not-there.ts'", 0, 1],
    [
      'has a failure for a hook that throws',
      "test('a', () => {}); afterAll(() => { throw new Error() })",
      1,
      1,
    ],
    ['has a failure for a file without tests', '', 0, 1],
  ])('%s', async (_what, source, passed, failed) => {
    using dir = tempDir()
    await Bun.write(
      dir.file('sample.test.ts'),
      `import { afterAll, describe, test } from 'bun:test'\n${source}\n`,
    )
    const report = dir.file('report.xml')
    const arguments_ = ['--reporter=junit', `--reporter-outfile=${report}`, './sample.test.ts']
    const child = Bun.spawn([process.execPath, 'test', ...arguments_], {
      cwd: dir.path,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    expect(judge(await child.exited, await countJUnit(report))).toEqual({ passed, failed })
  })

  test('has a failure for a runner that wrote no report', async () => {
    using dir = tempDir()
    expect(judge(0, await countJUnit(dir.file('none.xml')))).toEqual({ passed: 0, failed: 1 })
    expect(judge(0, await countPlaywright(dir.file('none.json')))).toEqual({ passed: 0, failed: 1 })
  })
})

test('A browser test that passed only in a second attempt counts as failed', async () => {
  using dir = tempDir()
  await Bun.write(
    dir.file('report.json'),
    JSON.stringify({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 } }),
  )
  expect(await countPlaywright(dir.file('report.json'))).toEqual({ passed: 5, failed: 2 })
})
