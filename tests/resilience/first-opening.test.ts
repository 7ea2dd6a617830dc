import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { isApiKey } from '../../server/keys/api-key.ts'
import { checkData } from '../support/check-data.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { tempDir } from '../support/temp-dir.ts'

const PROGRAM = join(import.meta.dir, '../../server/main.ts')

/** A command of Holdall on a data directory, running. */
function start(dataDir: string, ...args: string[]) {
  return Bun.spawn([process.execPath, PROGRAM, ...args, '--data', dataDir], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    // One that was to refuse and runs all the same must not hold up the test.
    timeout: 20_000,
  })
}

type Started = ReturnType<typeof start>

async function resultOf(command: Started) {
  const [stdout, stderr] = await Promise.all([
    new Response(command.stdout).text(),
    new Response(command.stderr).text(),
  ])
  return { stdout: stdout.trim(), stderr: stderr.trim(), exitCode: await command.exited }
}

test('commands and a service that open a new data directory at the same time all work', async () => {
  for (let round = 0; round < 3; round++) {
    using dir = tempDir()
    const data = dir.file('data')
    const service = start(data, 'serve', '--listen', '127.0.0.1:0', '--no-open')
    const commands = Array.from({ length: 4 }, () => start(data, 'key', 'create'))
    for (const { stdout, stderr, exitCode } of await Promise.all(commands.map(resultOf))) {
      expect([exitCode, stderr, isApiKey(stdout)]).toEqual([0, '', true])
    }
    for await (const text of service.stdout.pipeThrough(new TextDecoderStream())) {
      if (text.includes('listens on')) break
    }
    service.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    const { stdout } = await resultOf(start(data, 'key', 'list'))
    expect(stdout.split('\n')).toHaveLength(4)
    checkData(data)
  }
}, 60_000)

test('a first opening that is killed at any moment leaves a directory that the next command can use', async () => {
  const random = seededRandom(17)
  for (let round = 0; round < 8; round++) {
    using dir = tempDir()
    const data = dir.file('data')
    const killed = start(data, 'key', 'create')
    // Starting takes a few hundred milliseconds; what is killed later has done its work.
    await Bun.sleep(random() * 500)
    killed.kill('SIGKILL')
    await killed.exited
    const { stdout, stderr, exitCode } = await resultOf(start(data, 'key', 'create'))
    expect([exitCode, stderr, isApiKey(stdout)]).toEqual([0, '', true])
  }
}, 60_000)

test('a program that is older than its database says so in every command and changes nothing', async () => {
  using dir = tempDir()
  const data = dir.file('data')
  expect((await resultOf(start(data, 'key', 'create'))).exitCode).toBe(0)
  using sqlite = new Sqlite(join(data, 'holdall.db'))
  sqlite.run(
    "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of a newer version', 9999999999999)",
  )
  const before = sqlite.query('SELECT * FROM api_keys').all()
  for (const args of [
    ['serve', '--listen', '127.0.0.1:0', '--no-open'],
    ['key', 'create'],
    ['key', 'list'],
    ['user', 'add', 'ann'],
    ['user', 'list'],
    ['user', 'remove', 'ann'],
    ['sign-in-link'],
  ]) {
    const { stdout, stderr, exitCode } = await resultOf(start(data, ...args))
    expect([args, exitCode, stdout]).toEqual([args, 1, ''])
    expect(stderr).toBe(
      'holdall: A newer Holdall has changed the database of this data directory. Run that version, or choose another directory with --data.',
    )
  }
  expect(sqlite.query('SELECT * FROM api_keys').all()).toEqual(before)
}, 60_000)
