import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { archivesIn } from '../support/archives-in.ts'
import { forFile } from '../support/for-file.ts'
import { type ReplyBody, startService, type TestService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const sources = forFile(startSources())

/** An archive directory outside of the data directory. */
function sharedArchives(dir: TempDir): { archives: string[] } {
  return { archives: [dir.file('archives')] }
}

/** Downloads from the current port, which changes with a restart. */
const download = (service: TestService, job: ReplyBody) =>
  fetch(service.origin + new URL(job.download_url).pathname)
const finished = (service: TestService) => service.finishedJob([sources.url('/ok/a')])

describe('An archive directory belongs to one database', () => {
  test('a second service is refused while the first one runs, and changes nothing', async () => {
    using dir = tempDir()
    await using first = await startService(sharedArchives(dir))
    const job = await finished(first)
    const before = readdirSync(dir.file('archives'))
    await expect(startService(sharedArchives(dir))).rejects.toThrow(/Another Holdall uses .* --archives/)
    expect(readdirSync(dir.file('archives'))).toEqual(before)
    expect((await download(first, job)).status).toBe(200)
  })

  test('the directory of another database is refused even if no service runs on it, and nothing in it changes', async () => {
    using dir = tempDir()
    await using first = await startService(sharedArchives(dir))
    await finished(first)
    const before = readdirSync(dir.file('archives'))
    await first.whileStopped(async () => {
      await expect(startService(sharedArchives(dir))).rejects.toThrow(/another database .*--data/)
      expect(readdirSync(dir.file('archives'))).toEqual(before)
    })
  })

  test('a start with a new database refuses the directory of the old one, and changes nothing in it', async () => {
    await using service = await startService()
    const job = await finished(service)
    const inDataDir = (name: string) => join(service.dataDir, name)
    await service
      .whileStopped(async () => {
        for (const name of readdirSync(service.dataDir).filter((name) => name.startsWith('holdall.db'))) {
          renameSync(inDataDir(name), inDataDir(`aside-${name}`))
        }
      })
      .then(
        () => expect.unreachable(),
        (error) => expect(error.message).toMatch(/another database .* Restore its own database/),
      )
    expect(archivesIn(service.dataDir)).toEqual([`${job.id}.zip`])
    for (const name of readdirSync(service.dataDir).filter((name) => name.startsWith('holdall.db'))) {
      rmSync(inDataDir(name))
    }
    for (const name of readdirSync(service.dataDir).filter((name) => name.startsWith('aside-'))) {
      renameSync(inDataDir(name), inDataDir(name.slice('aside-'.length)))
    }
    await service.restart()
    expect((await download(service, job)).status).toBe(200)
  })

  test('a directory without an owner file is refused if it has an archive', async () => {
    using dir = tempDir()
    await using first = await startService(sharedArchives(dir))
    const job = await finished(first)
    const owner = join(dir.file('archives'), 'holdall-owner')
    await first.whileStopped(async () => {
      const id = readFileSync(owner)
      rmSync(owner)
      await expect(startService(sharedArchives(dir))).rejects.toThrow('another database')
      expect(existsSync(join(dir.file('archives'), `${job.id}.zip`))).toBe(true)
      expect(existsSync(owner)).toBe(false)
      writeFileSync(owner, id)
    })
  })

  test('an invalid owner file is refused and not overwritten', async () => {
    await using service = await startService()
    const owner = join(service.dataDir, 'archives/holdall-owner')
    const id = readFileSync(owner, 'utf8')
    const restarted = service.whileStopped(async () => writeFileSync(owner, ''))
    await expect(restarted).rejects.toThrow('another database')
    expect(readFileSync(owner, 'utf8')).toBe('')
    writeFileSync(owner, id)
    await service.restart()
  })

  test('a copy of the data directory cannot use the archives while the service runs', async () => {
    using dir = tempDir()
    await using service = await startService(sharedArchives(dir))
    const job = await finished(service)
    cpSync(service.dataDir, dir.file('copy'), { recursive: true })
    await expect(startService({ ...sharedArchives(dir), data: [dir.file('copy')] })).rejects.toThrow(
      'Another Holdall uses',
    )
    expect((await download(service, job)).status).toBe(200)
  })

  test('an empty directory belongs to the first service that uses it', async () => {
    await using service = await startService()
    const job = await finished(service)
    using dir = tempDir()
    await service.whileStopped(async () => {
      await using moved = await startService({ ...sharedArchives(dir), data: [service.dataDir] })
      expect(archivesIn(dir.path)).toEqual([])
      expect((await download(moved, job)).status).toBe(503)
      expect(moved.logged.join('')).toMatch(
        /warn archives that .* are not in the archive directory archives=1/,
      )
    })
    expect((await download(service, job)).status).toBe(200)
  })
})

describe('A start deletes only files whose deletion was requested', () => {
  test('files of unknown jobs are moved to set-aside, and the log says so', async () => {
    await using service = await startService()
    const job = await finished(service)
    const unknownId = crypto.randomUUID()
    const unknown = [`${unknownId}.zip`, `${unknownId}.zip.part`, `${unknownId}.zip.part.x.discarded`]
    const archives = join(service.dataDir, 'archives')
    await service.whileStopped(async () => {
      for (const name of [...unknown, 'notes.txt']) writeFileSync(join(archives, name), name)
    })
    expect(archivesIn(service.dataDir)).toEqual([`${job.id}.zip`, 'notes.txt', 'set-aside'].sort())
    for (const name of unknown) expect(readFileSync(join(archives, 'set-aside', name), 'utf8')).toBe(name)
    expect(service.logged.filter((line) => line.includes('set aside'))).toEqual([
      expect.stringContaining('files=3'),
    ])

    await service.whileStopped(async () => writeFileSync(join(archives, `${unknownId}.zip`), 'another'))
    expect(readFileSync(join(archives, 'set-aside', `${unknownId}.zip`), 'utf8')).toBe(`${unknownId}.zip`)
    expect(readdirSync(join(archives, 'set-aside'))).toHaveLength(4)
  })

  test.each([
    ['was deleted', 'DELETE FROM jobs WHERE id = ?'],
    ['expired', 'UPDATE jobs SET swept_at = 1 WHERE id = ?'],
    ['was deleted with its user', 'DELETE FROM users WHERE id = (SELECT user_id FROM jobs WHERE id = ?)'],
  ])('the files of a job that %s just before a crash are deleted after the next start', async (_how, sql) => {
    await using service = await startService()
    const key = await service.addUser('ann')
    const kept = await finished(service)
    const job = await service.finishedJob([sources.url('/ok/b')], {}, key)
    await service.whileStopped(async () => {
      using db = new Database(join(service.dataDir, 'holdall.db'))
      db.run('PRAGMA foreign_keys = ON')
      db.run(sql, [job.id])
      for (const name of [`${job.id}.zip.part.spool-1`, `${job.id}.zip.x.discarded`])
        writeFileSync(join(service.dataDir, 'archives', name), 'x')
    })
    await service.app.sweeper.sweep(Date.now())
    expect(archivesIn(service.dataDir)).toEqual([`${kept.id}.zip`])
    await service.restart()
    expect(archivesIn(service.dataDir)).toEqual([`${kept.id}.zip`])
  })

  test('a start deletes the files that a restart of the job discarded, and keeps newer files', async () => {
    await using service = await startService()
    const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/404')])
    const archives = join(service.dataDir, 'archives')
    await service.whileStopped(async () => {
      using db = new Database(join(service.dataDir, 'holdall.db'))
      db.run('INSERT INTO file_deletions (job_id) VALUES (?)', [job.id])
      writeFileSync(join(archives, `${job.id}.zip.part.x.discarded`), 'x')
    })
    await service.app.sweeper.sweep(Date.now())
    expect(archivesIn(service.dataDir)).toEqual([`${job.id}.zip.part`])
  })

  test('a file that cannot be deleted blocks no other deletion, is logged once, and is deleted as soon as possible', async () => {
    await using service = await startService()
    const stuck = await finished(service)
    const expired = await service.finishedJob([sources.url('/ok/b')], { expires_in: 300 })
    const path = join(service.dataDir, 'archives', `${stuck.id}.zip.part`)
    mkdirSync(path)
    using db = new Database(join(service.dataDir, 'holdall.db'))
    db.run('DELETE FROM jobs WHERE id = ?', [stuck.id])
    for (const at of [0, 1, 2]) await service.app.sweeper.sweep(Date.parse(expired.expires_at) + at)
    expect(archivesIn(service.dataDir)).toEqual([`${stuck.id}.zip.part`])
    expect(service.logged.filter((line) => line.includes('files of deleted jobs could not'))).toHaveLength(1)

    rmdirSync(path)
    await service.app.sweeper.sweep(Date.parse(expired.expires_at))
    expect(db.query('SELECT * FROM file_deletions').all()).toEqual([])
    expect(service.logged.filter((line) => line.includes('no longer: files of deleted jobs'))).toHaveLength(1)
  })

  test("after a command has deleted a user, the next sweep deletes the files of the user's running job", async () => {
    await using service = await startService()
    const key = await service.addUser('ann')
    const jobId = await service.createJob({ urls: [sources.url('/ok/a'), sources.url('/slow')] }, key)
    await service.jobIn(jobId, ['processing'], key)
    using db = new Database(join(service.dataDir, 'holdall.db'))
    db.run('PRAGMA foreign_keys = ON')
    db.run("DELETE FROM users WHERE name = 'ann'")
    await service.app.sweeper.sweep(Date.now())
    sources.release()
    expect(archivesIn(service.dataDir)).toEqual([])
    expect(db.query('SELECT * FROM file_deletions').all()).toEqual([])
  })
})
