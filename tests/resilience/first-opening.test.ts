// test group: long
import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isApiKey } from '../../server/keys/api-key.ts'
import { checkData } from '../support/check-data.ts'
import { firstMatch } from '../support/first-match.ts'
import { resultOf, startCommand } from '../support/holdall-command.ts'
import { makeData } from '../support/make-data.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { tempDir } from '../support/temp-dir.ts'

const start = (dataDir: string, ...args: string[]) => startCommand([...args, '--data', dataDir])

const startServing = (dataDir: string) => start(dataDir, 'serve', '--listen', '127.0.0.1:0', '--no-open')

const untilListening = ({ stdout }: ReturnType<typeof startServing>) => firstMatch(stdout, /(listens on)/)

async function createKey(dataDir: string) {
  const { stdout, stderr, exitCode } = await resultOf(start(dataDir, 'key', 'create'))
  return { exitCode, stderr, isKey: isApiKey(stdout.trim()) }
}

const CREATED = { exitCode: 0, stderr: '', isKey: true }

test('several commands and a service can open a new data directory at the same time', async () => {
  for (let round = 0; round < 3; round++) {
    using dir = tempDir()
    const data = dir.file('data')
    // Commands use it once there is a file for the database, even without tables.
    mkdirSync(data)
    writeFileSync(join(data, 'holdall.db'), '')
    const service = startServing(data)
    const created = await Promise.all(Array.from({ length: 4 }, () => createKey(data)))
    expect(created).toEqual(created.map(() => CREATED))
    await untilListening(service)
    service.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    const { stdout } = await resultOf(start(data, 'key', 'list'))
    expect(stdout.trim().split('\n')).toHaveLength(4)
    checkData(data)
  }
}, 240_000)

test('after a kill while the data directory is created, the next start and a command work', async () => {
  const random = seededRandom(17)
  for (let round = 0; round < 8; round++) {
    using dir = tempDir()
    const data = dir.file('data')
    const killed = startServing(data)
    // A start takes a few hundred milliseconds.
    await Bun.sleep(random() * 500)
    killed.kill('SIGKILL')
    await killed.exited
    const service = startServing(data)
    await untilListening(service)
    expect(await createKey(data)).toEqual(CREATED)
    service.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  }
}, 240_000)

test('every command refuses a database of a newer version and changes nothing', async () => {
  using dir = tempDir()
  const data = makeData(dir.file('data'))
  expect(await createKey(data)).toEqual(CREATED)
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
    expect(stderr.trim()).toBe(
      'holdall: A newer Holdall has changed the database of this data directory. Run that version, or choose another directory with --data.',
    )
  }
  expect(sqlite.query('SELECT * FROM api_keys').all()).toEqual(before)
}, 240_000)
