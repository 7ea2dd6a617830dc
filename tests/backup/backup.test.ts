import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backUp } from '../../server/backup/back-up.ts'
import { dataPaths } from '../../server/data/data-dir.ts'
import { openDatabase } from '../../server/db/open.ts'
import { checkData } from '../support/check-data.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { PROGRAM_FILES, startService, type TestService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const sources = forFile(startSources())

/** Runs a command that must succeed. @returns its output */
async function run(command: readonly string[], cwd?: string): Promise<string> {
  const child = Bun.spawn([...command], { stdio: ['ignore', 'pipe', 'pipe'], ...(cwd && { cwd }) })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect([errors, await child.exited]).toEqual(['', 0])
  return output
}
const holdall = (...args: string[]) => runCommand(args)
const succeeds = { exitCode: 0, stderr: '' }

/** Downloads by the path of a link of another service, since a restored service has another port. */
async function downloadFrom(service: TestService, link: string): Promise<Buffer> {
  const response = await fetch(service.origin + new URL(link).pathname)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

describe.each(['backup.tar', 'backup/'])('holdall backup %s', (name) => {
  test('and restore keep archives, links, users, keys and webhooks, while the service runs', async () => {
    using dir = tempDir()
    await using service = await startService()
    const annsKey = await service.addUser('ann', 'free')
    const webhook = { url: 'https://127.0.0.1/hook', events: ['job.failed'] }
    await service.request('POST', '/webhooks', { body: webhook })
    const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/ok/b')])
    const bytes = await downloadFrom(service, job.download_url)
    const backedUp = await holdall('backup', dir.file(name), '--data', service.dataDir)
    expect(backedUp).toMatchObject({ ...succeeds, stdout: expect.stringContaining(': 1 archive, ') })
    const restored = await holdall('restore', dir.file(name), '--data', dir.file('data'))
    expect(restored).toMatchObject({ ...succeeds, stdout: `${dir.file('data')}\n` })
    checkData(dir.file('data'))

    await using again = await startService({ data: [dir.file('data')] })
    expect(await downloadFrom(again, job.download_url)).toEqual(bytes)
    const asAnn = await again.request('GET', '/me', { key: annsKey })
    expect(asAnn.body.user).toMatchObject({ name: 'ann', plan: 'free' })
    const { body } = await again.request('GET', '/webhooks', { key: service.key })
    expect(body.webhooks).toMatchObject([webhook])
    expect((await again.request('GET', '/jobs', { key: service.key })).body.jobs).toMatchObject([
      { id: job.id },
    ])
  })

  test('leaves out checkpoints: after a restore, jobs that were not complete are fetched again', async () => {
    using dir = tempDir()
    await using service = await startService()
    await using own = startSources()
    const failed = await service.finishedJob([own.url('/ok/a'), own.url('/404')])
    const jobId = await service.createJob({ urls: [own.url('/ok/b'), own.url('/slow')] })
    await until('a file is packed', async () => (await service.jobIn(jobId, ['processing'])).file_count > 0)
    expect(await holdall('backup', dir.file(name), '--data', service.dataDir)).toMatchObject(succeeds)
    expect(await holdall('restore', dir.file(name), '--data', dir.file('data'))).toMatchObject(succeeds)
    expect(existsSync(dir.file('data/archives'))).toBe(false)

    own.release()
    await using again = await startService({ data: [dir.file('data')] })
    const { key } = service
    expect(await again.jobIn(jobId, ['completed'], key)).toMatchObject({ file_count: 2 })
    expect((await again.request('GET', `/jobs/${failed.id}`, { key })).body.job.zip_size).toBe(0)
    await again.request('POST', `/jobs/${failed.id}/retry`, { key, body: { skip_failed: true } })
    expect(await again.jobIn(failed.id, ['completed'], key)).toMatchObject({ file_count: 1 })
  })

  test('with --exclude-archives contains no archive', async () => {
    using dir = tempDir()
    await using service = await startService()
    await service.finishedJob([sources.url('/ok/a')])
    const backedUp = await holdall('backup', dir.file(name), '--exclude-archives', '--data', service.dataDir)
    expect(backedUp).toMatchObject({ ...succeeds, stdout: expect.stringContaining(': 0 archives, ') })
    expect(await holdall('restore', dir.file(name), '--data', dir.file('data'))).toMatchObject(succeeds)
    expect(readdirSync(dir.file('data')).sort()).toEqual([
      'holdall.db',
      'sealing-key',
      'settings.json',
      'signing-secrets.json',
    ])
  })
})

describe('A backup', () => {
  test('without archives can be restored next to the archives: jobs that have completed since are packed again', async () => {
    using dir = tempDir()
    await using own = startSources()
    await using service = await startService({ archives: [dir.file('archives')] })
    const { key } = service
    const kept = await service.finishedJob([own.url('/ok/a')])
    const failed = await service.finishedJob([own.url('/ok/b'), own.url('/404')])
    const jobId = await service.createJob({ urls: [own.url('/ok/c'), own.url('/slow')] })
    await until('a file is packed', async () => (await service.jobIn(jobId, ['processing'])).file_count > 0)
    await holdall('backup', dir.file('b.tar'), '--exclude-archives', '--data', service.dataDir)
    own.release()
    await service.jobIn(jobId, ['completed'])
    await service.finishedJob([own.url('/ok/younger')])
    await service.whileStopped(async () => {
      await holdall('restore', dir.file('b.tar'), '--data', dir.file('data'))
      await using again = await startService({ data: [dir.file('data')], archives: [dir.file('archives')] })
      await downloadFrom(again, kept.download_url)
      const packed = await again.jobIn(jobId, ['completed'], key)
      expect(packed.file_count).toBe(2)
      expect((await downloadFrom(again, packed.download_url)).length).toBe(packed.zip_size)
      await again.app.sweeper.sweepNow()
      expect(readdirSync(dir.file('archives')).filter((name) => name.startsWith(failed.id))).toEqual([])
      expect(readdirSync(dir.file('archives/set-aside'))).toHaveLength(1)
    })
  })

  test('that is a file is read by tar, bsdtar and Python, which find files that sha256sum and SQLite accept', async () => {
    using dir = tempDir()
    await using service = await startService()
    const job = await service.finishedJob([sources.url('/ok/a')])
    await holdall('backup', dir.file('b.tar'), '--data', service.dataDir)
    const names = [
      'backup.json',
      `archives/${job.id}.zip`,
      'holdall.db',
      'signing-secrets.json',
      'sealing-key',
      'settings.json',
      'SHA256SUMS',
    ]
    const python = 'import sys, tarfile; print("\\n".join(tarfile.open(sys.argv[1]).getnames()))'
    const readers = [
      ['tar', '-tf'],
      ['bsdtar', '-tf'],
      ['python3', '-c', python],
    ]
    for (const reader of readers)
      expect((await run([...reader, dir.file('b.tar')])).trim().split('\n')).toEqual(names)
    await run(['mkdir', dir.file('unpacked')])
    await run(['tar', '-xf', dir.file('b.tar'), '-C', dir.file('unpacked')])
    await run(['sha256sum', '--check', '--strict', 'SHA256SUMS'], dir.file('unpacked'))
    const check =
      'import sqlite3; print(sqlite3.connect("holdall.db").execute("PRAGMA integrity_check").fetchall())'
    expect(await run(['python3', '-c', check], dir.file('unpacked'))).toBe("[('ok',)]\n")
    expect(await holdall('restore', dir.file('unpacked'), '--data', dir.file('data'))).toMatchObject(succeeds)
    checkData(dir.file('data'))
  })

  test('that is a directory shares the archives, and only its owner can read it', async () => {
    using dir = tempDir()
    await using service = await startService()
    const { id } = await service.finishedJob([sources.url('/ok/a')])
    await holdall('backup', dir.file('b/'), '--data', service.dataDir)
    const inode = (path: string) => statSync(path).ino
    expect(inode(dir.file(`b/archives/${id}.zip`))).toBe(inode(`${service.dataDir}/archives/${id}.zip`))
    await run(['sha256sum', '--check', '--strict', 'SHA256SUMS'], dir.file('b'))
    expect((statSync(dir.file('b')).mode & 0o777).toString(8)).toBe('700')
    await holdall('backup', dir.file('b.tar'), '--data', service.dataDir)
    expect((statSync(dir.file('b.tar')).mode & 0o777).toString(8)).toBe('600')
  })

  test('replaces an earlier file, but no directory that contains anything', async () => {
    using dir = tempDir()
    await using service = await startService()
    await Bun.write(dir.file('b.tar'), 'earlier')
    expect(await holdall('backup', dir.file('b.tar'), '--data', service.dataDir)).toMatchObject(succeeds)
    expect(statSync(dir.file('b.tar')).size).toBeGreaterThan(100_000)
    await Bun.write(dir.file('photos/a.jpg'), 'a')
    const refused = await holdall('backup', dir.file('photos'), '--data', service.dataDir)
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not empty') })
    expect(readFileSync(dir.file('photos/a.jpg'), 'utf8')).toBe('a')
    await Bun.write(dir.file('c.tar.part/a.jpg'), 'a')
    const besides = await holdall('backup', dir.file('c.tar'), '--data', service.dataDir)
    expect(besides).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('contains other files') })
    expect(readdirSync(dir.path).sort()).toEqual(['b.tar', 'c.tar.part', 'photos'])
  })

  test('expires an archive that is deleted while it runs', async () => {
    using dir = tempDir()
    await using service = await startService()
    const job = await service.finishedJob([sources.url('/ok/a')])
    const user = (await service.request('GET', '/me')).body.user
    await service.whileStopped(async () => {
      const paths = dataPaths(service.dataDir)
      using db = openDatabase(paths.database, PROGRAM_FILES.migrationsDir)
      const deleteFirst = (jobId: string) => {
        openTransitions(db).delete(user.id, jobId, Date.now())
        rmSync(paths.archive(jobId))
        return paths.archive(jobId)
      }
      const result = await backUp({
        dir: { ...paths, archive: deleteFirst },
        db,
        migrationsDir: PROGRAM_FILES.migrationsDir,
        target: dir.file('b.tar'),
        store: null,
        withArchives: true,
        clock: Date.now,
        stop: new AbortController().signal,
      })
      expect(result).toMatchObject({ archives: 0, leftOut: [] })
    })
    expect(await holdall('restore', dir.file('b.tar'), '--data', dir.file('data'))).toMatchObject(succeeds)
    await using again = await startService({ data: [dir.file('data')] })
    const response = await fetch(again.origin + new URL(job.download_url).pathname)
    expect(await response.json()).toMatchObject({ error: { code: 'EXPIRED_TOKEN' } })
  })

  test('without an archive that is missing or damaged fails, says which, and contains everything else', async () => {
    using dir = tempDir()
    await using service = await startService()
    const jobs = []
    for (const name of ['cut', 'gone', 'whole'])
      jobs.push(await service.finishedJob([sources.url('/ok/a')], { zip_filename: name }))
    const [cut, gone, whole] = jobs.map(({ id }) => id)
    await Bun.write(join(service.dataDir, `archives/${cut}.zip`), 'cut')
    rmSync(join(service.dataDir, `archives/${gone}.zip`))
    const { exitCode, stdout, stderr } = await holdall('backup', dir.file('b.tar'), '--data', service.dataDir)
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(': 1 archive, ')])
    expect(stderr.split('\n')).toEqual([
      `cut.zip of job ${cut}: the file is damaged`,
      `gone.zip of job ${gone}: the file is missing`,
      'holdall: The backup has all but these archives: 1 missing, 1 damaged. Bring their files back, or delete their jobs, and back up again.',
      '',
    ])
    expect(await holdall('restore', dir.file('b.tar'), '--data', dir.file('data'))).toMatchObject(succeeds)
    expect(existsSync(dir.file(`data/archives/${whole}.zip`))).toBe(true)
  })

  test('finds the archives of a service with --archives, whose directory the database names', async () => {
    using dir = tempDir()
    await using service = await startService({ archives: [dir.file('zips')] })
    const { id, download_url } = await service.finishedJob([sources.url('/ok/a')])
    const paths = await holdall('paths', '--data', service.dataDir)
    expect(paths.stdout).toContain(`archives\t${dir.file('zips')}\n`)
    const backedUp = await holdall('backup', dir.file('b.tar'), '--data', service.dataDir)
    expect(backedUp).toMatchObject({ ...succeeds, stdout: expect.stringContaining(': 1 archive, ') })

    // The restored database names the directory to which the archives were restored.
    const restored = await holdall('restore', dir.file('b.tar'), '--data', dir.file('data'))
    expect([restored.exitCode, restored.stderr]).toEqual([
      0,
      `The archives are in ${dir.file('data/archives')} now: start Holdall without --archives.\n`,
    ])
    rmSync(dir.file(`zips/${id}.zip`))
    const again = await holdall('backup', dir.file('again.tar'), '--data', dir.file('data'))
    expect(again).toMatchObject({ ...succeeds, stdout: expect.stringContaining(': 1 archive, ') })
    await using restarted = await startService({ data: [dir.file('data')] })
    await downloadFrom(restarted, download_url)
  })

  test('is refused when the archive directory is not mounted, or is another one', async () => {
    using dir = tempDir()
    await using service = await startService({ archives: [dir.file('zips')] })
    await service.finishedJob([sources.url('/ok/a')])
    await service.whileStopped(async () => {
      mkdirSync(dir.file('empty'))
      const of = (...more: string[]) =>
        holdall('backup', dir.file('b.tar'), '--data', service.dataDir, ...more)
      const wrong = await of('--archives', dir.file('empty'))
      expect([wrong.exitCode, wrong.stderr]).toEqual([
        1,
        expect.stringContaining('is not the archive directory'),
      ])
      const typo = await of('--archives', dir.file('typo'))
      expect([typo.exitCode, typo.stderr]).toEqual([
        1,
        expect.stringContaining('There is no archive directory'),
      ])
      renameSync(dir.file('zips'), dir.file('elsewhere'))
      expect((await of()).exitCode).toBe(1)
      for (const name of ['typo', 'zips', 'b.tar', 'b.tar.part'])
        expect(existsSync(dir.file(name))).toBe(false)
      expect(await of('--exclude-archives')).toMatchObject(succeeds)
      renameSync(dir.file('elsewhere'), dir.file('zips'))
    })
  })

  test('is shown by GET /service with its time and size', async () => {
    using dir = tempDir()
    await using service = await startService()
    await holdall('backup', dir.file('b.tar'), '--data', service.dataDir)
    const { last_backup } = (await service.request('GET', '/service')).body.service
    expect(last_backup).toEqual({ completed_at: expect.any(String), size: statSync(dir.file('b.tar')).size })
    expect(Math.abs(Date.now() - Date.parse(last_backup.completed_at))).toBeLessThan(60_000)
  })

  test.each([
    [['backup'], 2, 'FILE'],
    [['backup', ''], 2, 'FILE'],
    [['backup', '/dev/null'], 1, 'is not a file'],
    [['backup', '/dev/null/b.tar'], 1, 'name another place'],
    [['backup', 'b.tar', '--data', '/nowhere'], 1, 'There is no database /nowhere/holdall.db'],
    [['restore', '/nowhere.tar'], 1, 'There is no backup /nowhere.tar'],
    [['restore', '/dev/null'], 1, 'is not a file'],
  ])('%j fails with one line that states the reason', async (args, exitCode, reason) => {
    using dir = tempDir()
    await using service = await startService()
    const data = args[0] === 'backup' ? service.dataDir : dir.file('data')
    const result = await runCommand([...args, ...(args.includes('--data') ? [] : ['--data', data])], {
      cwd: dir.path,
    })
    expect(result).toMatchObject({ exitCode, stdout: '' })
    expect(result.stderr.trim().split('\n')).toEqual([expect.stringContaining(reason)])
    expect(readdirSync(dir.path)).toEqual([])
  })
})
