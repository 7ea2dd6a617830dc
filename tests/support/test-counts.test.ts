import { describe, expect, test } from 'bun:test'
import { tempDir } from './temp-dir.ts'
import { countJUnit, countPlaywright, judge } from './test-counts.ts'

describe('The tests of `bun test` are counted as they ended', () => {
  test.each([
    ['passed and failed ones', "test('a', () => {}); test('b', () => { throw new Error() })", 1, 1],
    ['ones in groups and tables', "describe('g', () => { test.each([1, 2, 3])('%d', () => {}) })", 3, 0],
    [
      'neither skipped ones nor ones to do',
      "test('a', () => {}); test.skip('b', () => {}); test.todo('c')",
      1,
      0,
    ],
    ['a file that does not load as a failure', "import './not-there.ts'", 0, 1],
    ['a failure between tests', "test('a', () => {}); afterAll(() => { throw new Error() })", 1, 1],
    ['a file without a test as a failure', '', 0, 1],
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

  test('a runner that wrote no report has failed', async () => {
    using dir = tempDir()
    expect(judge(0, await countJUnit(dir.file('none.xml')))).toEqual({ passed: 0, failed: 1 })
    expect(judge(0, await countPlaywright(dir.file('none.json')))).toEqual({ passed: 0, failed: 1 })
  })
})

test('A browser test that passed only when tried again has failed', async () => {
  using dir = tempDir()
  await Bun.write(
    dir.file('report.json'),
    JSON.stringify({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 } }),
  )
  expect(await countPlaywright(dir.file('report.json'))).toEqual({ passed: 5, failed: 2 })
})
