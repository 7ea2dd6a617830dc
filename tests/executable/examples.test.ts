import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { signInOwner } from '../support/client.ts'
import { EXECUTABLE, startHoldall } from '../support/executable.ts'
import { findNode } from '../support/find-node.ts'
import { forFile } from '../support/for-file.ts'
import { resultOf } from '../support/holdall-command.ts'
import { startSources } from '../support/sources.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dir, '../..')
const EXAMPLES_DIR = join(ROOT, 'server/http/docs/examples')
const NODE = [findNode(), '--input-type=module', '-']
const URLS = ['https://example.org/', 'https://example.com/']

const sources = forFile(startSources())
const holdall = forFile(await startHoldall())
const { key } = await signInOwner(holdall)

test.each([
  ['curl', 'curl.sh', ['sh', '-eu']],
  ['the client, in Node', 'client.js', NODE],
  ['the client, in Bun', 'client.js', [process.execPath, 'run', '-']],
  ['Python', 'python.py', ['python3', '-']],
])('The example for %s creates, follows and downloads an archive', async (_what, name, command) => {
  using dir = tempDir()
  const { exitCode, stderr } = await run(name, command, dir, key)
  expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, ''])
  const listed = Bun.spawnSync(['unzip', '-Z1', dir.file('pages.zip')]).stdout.toString()
  expect(listed).toBe('page 1.txt\npage 2.txt\n')
})

test('The example for the client prints the code of an error', async () => {
  using dir = tempDir()
  const { exitCode, stderr } = await run('client.js', NODE, dir, 'hold_wrong')
  expect(exitCode).toBe(1)
  expect(stderr).toStartWith('UNAUTHORIZED A valid API key is needed')
})

test('The first call in the README is the example for curl', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(exampleText('curl.sh'))
})

/** Runs an example in a directory that has the executable, and the package as `npm install` of its path adds it. */
function run(name: string, command: string[], dir: TempDir, key: string) {
  for (const folder of ['dist', 'node_modules']) mkdirSync(dir.file(folder))
  symlinkSync(EXECUTABLE, dir.file('dist/holdall'))
  symlinkSync(ROOT, dir.file('node_modules/holdall'))
  const child = Bun.spawn(command, {
    cwd: dir.path,
    env: { PATH: process.env.PATH, HOLDALL_DATA: holdall.dataDir, KEY: key },
    stdin: new Blob([example(name)]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return resultOf(child)
}

/** An example of `/docs/using-holdall`, for the service and the sources of this test. */
function example(name: string): string {
  const text = exampleText(name)
  expect(text).toContain('127.0.0.1:8420')
  let adapted = text.replaceAll('127.0.0.1:8420', new URL(holdall.address).host)
  for (const [index, url] of URLS.entries()) {
    expect(adapted).toContain(url)
    adapted = adapted.replaceAll(url, sources.url(`/ok/page ${index + 1}`))
  }
  return adapted
}

function exampleText(name: string): string {
  return readFileSync(join(EXAMPLES_DIR, name), 'utf8')
}
