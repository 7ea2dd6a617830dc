import { Database as Sqlite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { checksumsOf, MEMBERS } from '../../server/backup/formats/members.ts'
import { restore } from '../../server/backup/restore.ts'
import { dataPaths } from '../../server/data/data-dir.ts'
import { lockFile } from '../../server/data/file-lock.ts'
import { openDatabase } from '../../server/db/open.ts'
import { firstMatch } from '../support/first-match.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand, startCommand } from '../support/holdall-command.ts'
import { withLaterMigration } from '../support/later-migration.ts'
import { makeData } from '../support/make-data.ts'
import { restoreTo } from '../support/restore-to.ts'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { sha256 } from '../support/sha256.ts'
import { startSources } from '../support/sources.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
const dir = forFile(tempDir())
const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/ok/b')])
for (const name of ['whole.tar', 'whole/']) await holdall('backup', dir.file(name), '--data', service.dataDir)

function holdall(...args: string[]) {
  return runCommand(args)
}

describe('holdall restore', () => {
  test('refuses a data directory that contains anything, and changes nothing', async () => {
    const refused = await holdall('restore', dir.file('whole.tar'), '--data', service.dataDir)
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not empty') })
    expect((await fetch(job.download_url)).status).toBe(200)
    using own = tempDir()
    await Bun.write(own.file('data/notes.txt'), 'x')
    expect((await holdall('restore', dir.file('whole.tar'), '--data', own.file('data'))).exitCode).toBe(1)
    expect(readdirSync(own.file('data'))).toEqual(['notes.txt'])
  })

  test.each([['whole.tar'], ['without-archives.tar']])(
    'restores %s to the directory of a first start that was killed',
    async (name) => {
      await holdall(
        'backup',
        dir.file('without-archives.tar'),
        '--exclude-archives',
        '--data',
        service.dataDir,
      )
      using own = tempDir()
      await killFirstStart(own.file('data'))
      await restoreTo(own.file('data'), dir.file(name))
      await using again = await startService({ data: [own.file('data')] })
      const link = again.origin + new URL(job.download_url).pathname
      expect((await fetch(link)).status).toBe(name === 'whole.tar' ? 200 : 503)
    },
  )

  test('restores to the directory of a service that was killed before anybody used it, with the space that it reserves', async () => {
    using own = tempDir()
    await killFirstStart(own.file('data'))
    {
      using database = openDatabase(own.file('data/holdall.db'), PROGRAM_FILES.migrationsDir)
      database.keepReserve()
    }
    expect(existsSync(own.file('data/holdall.db-reserve'))).toBe(true)
    await restoreTo(own.file('data'), dir.file('whole.tar'))
    expect((await holdall('user', 'list', '--data', own.file('data'))).exitCode).toBe(0)
  })

  test('uses the directory of a first start that was killed before the database had tables', async () => {
    using own = tempDir()
    mkdirSync(own.file('data/archives'), { recursive: true })
    writeFileSync(own.file('data/service.lock'), '')
    writeFileSync(own.file('data/holdall.db'), '')
    await restoreTo(own.file('data'), dir.file('whole.tar'))
    expect((await holdall('user', 'list', '--data', own.file('data'))).exitCode).toBe(0)
  })

  test.each(['key create', 'user add ann'])(
    'refuses a directory after holdall %s, and changes nothing',
    async (command) => {
      using own = tempDir()
      const made = await holdall(...command.split(' '), '--data', makeData(own.file('data')))
      expect(made.exitCode).toBe(0)
      const before = readFileSync(own.file('data/holdall.db'))
      const refused = await holdall('restore', dir.file('whole.tar'), '--data', own.file('data'))
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not empty') })
      expect(readFileSync(own.file('data/holdall.db'))).toEqual(before)
    },
  )

  test('refuses the directory of a service that runs', async () => {
    using own = tempDir()
    await killFirstStart(own.file('data'))
    using _lock = lockFile(own.file('data/service.lock'))
    const refused = await holdall('restore', dir.file('whole.tar'), '--data', own.file('data'))
    expect(refused.stderr).toContain('A Holdall runs on the data directory')
  })

  test('uses an empty directory and the root of a new disk', async () => {
    using own = tempDir()
    mkdirSync(own.file('data/lost+found'), { recursive: true })
    await restoreTo(own.file('data'), dir.file('whole.tar'))
    expect(readdirSync(own.file('data')).sort()).toEqual([
      'archives',
      'holdall.db',
      'lost+found',
      'sealing-key',
      'settings.json',
      'signing-secrets.json',
    ])
  })

  test('restores archives to --archives, which then belongs to the restored database', async () => {
    using own = tempDir()
    const archives = ['--archives', own.file('archives')]
    const to = (data: string) => ['--data', own.file(data), ...archives]
    expect((await holdall('restore', dir.file('whole.tar'), ...to('data'))).exitCode).toBe(0)
    expect(readdirSync(own.file('archives')).sort()).toEqual([`${job.id}.zip`, 'holdall-owner'])
    await using again = await startService({ data: [own.file('data')], archives: [own.file('archives')] })
    expect((await fetch(again.origin + new URL(job.download_url).pathname)).status).toBe(200)
  })

  test('refuses an archive directory of another database', async () => {
    using own = tempDir()
    await using other = await startService()
    const before = readdirSync(`${other.dataDir}/archives`)
    const archives = `${other.dataDir}/archives`
    const error = await restoreTo(own.file('data'), dir.file('whole'), archives).catch((reason) => reason)
    expect(error).toMatchObject({ message: expect.stringContaining('belongs to another database') })
    expect(readdirSync(archives)).toEqual(before)
    expect(existsSync(own.file('data'))).toBe(false)
  })

  test('that was killed is run again; until then no command and no service uses the directory', async () => {
    using own = tempDir()
    mkdirSync(own.file('data/restoring'), { recursive: true })
    writeFileSync(own.file('data/restoring/holdall-lock'), '')
    writeFileSync(own.file('data/restoring/holdall.db'), 'half')
    for (const command of ['serve', 'user list']) {
      const result = await holdall(...command.split(' '), '--data', own.file('data'))
      expect(result).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('not completely restored'),
      })
    }
    await restoreTo(own.file('data'), dir.file('whole.tar'))
    expect((await holdall('user', 'list', '--data', own.file('data'))).exitCode).toBe(0)
  })

  test('brings the database of an earlier version up to date', async () => {
    using own = tempDir()
    const migrationsDir = withLaterMigration(
      own.file('migrations'),
      'ALTER TABLE `jobs` ADD `added_later` text;',
    )
    const paths = dataPaths(own.file('data'))
    const stop = new AbortController().signal
    await restore({ from: dir.file('whole'), dir: paths, migrationsDir, stop })
    using sqlite = new Sqlite(paths.database)
    expect(sqlite.query('SELECT added_later FROM jobs').values()).toEqual([[null]])
  })

  test('refuses the database of a later version with one sentence', async () => {
    using own = tempDir()
    backupWith(own, (path) => {
      openDatabase(path, PROGRAM_FILES.migrationsDir)[Symbol.dispose]()
      using sqlite = new Sqlite(path)
      sqlite.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)")
    })
    const result = await holdall('restore', own.file('b'), '--data', own.file('data'))
    expect(result.stderr).toBe(
      'holdall: A newer Holdall has made this backup. Restore it with that version.\n',
    )
  })
})

/** Leaves what a service has written that was killed before anybody signed in. */
async function killFirstStart(dataDir: string): Promise<void> {
  const child = startCommand(['serve', '--data', dataDir, '--listen', '127.0.0.1:0', '--no-open'])
  await firstMatch(child.stdout, /^Sign in once, within 30 minutes: (\S+)$/m)
  child.kill('SIGKILL')
  await child.exited
}

/** Writes a backup with another database to `b`. */
function backupWith(own: TempDir, write: (path: string) => void): void {
  cpSync(dir.file('whole'), own.file('b'), { recursive: true })
  rmSync(own.file('b/archives'), { recursive: true })
  rmSync(own.file('b/holdall.db'))
  write(own.file('b/holdall.db'))
  using sqlite = new Sqlite(own.file('b/holdall.db'))
  sqlite.run('PRAGMA journal_mode = DELETE')
  const names = Object.values(MEMBERS).filter((name) => name !== MEMBERS.checksums)
  const digests = names.map((name) => [name, sha256(readFileSync(own.file(`b/${name}`)))] as const)
  writeFileSync(own.file(`b/${MEMBERS.checksums}`), checksumsOf(new Map(digests)))
}
