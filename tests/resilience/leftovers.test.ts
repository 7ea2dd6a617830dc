import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStaging } from '../../server/data/staging.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

// What a kill leaves, and who deletes it. Files of jobs are in tests/executable/kill.test.ts.

const ID = '00000000-0000-4000-8000-000000000000'
const service = forFile(await startService())

/** What a backup or a restore that was killed has left. */
function leave(path: string, ...files: string[]): void {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'holdall-lock'), '')
  for (const name of files) writeFileSync(join(path, name), 'half')
}

describe('A backup', () => {
  test('deletes what backups of other names have left that were killed, and nothing else', async () => {
    using dir = tempDir()
    leave(dir.file('monday.tar.part'), 'backup.tar', 'holdall.db', 'holdall.db-wal')
    mkdirSync(dir.file('tuesday.part/backup/archives'), { recursive: true })
    leave(dir.file('tuesday.part'), 'backup.json')
    leave(dir.file('photos.part'), 'a.jpg')
    mkdirSync(dir.file('other.part'))
    writeFileSync(dir.file('x.zip.part'), 'of holdall zip')
    using _running = openStaging(dir.file('running.tar.part'))
    writeFileSync(dir.file('running.tar.part/backup.tar'), 'half')
    const { exitCode } = await runCommand(['backup', dir.file('b.tar'), '--data', service.dataDir])
    expect(exitCode).toBe(0)
    expect(readdirSync(dir.path).sort()).toEqual([
      'b.tar',
      'other.part',
      'photos.part',
      'running.tar.part',
      'x.zip.part',
    ])
    expect(existsSync(dir.file('running.tar.part/backup.tar'))).toBe(true)
  })
})

describe('A start', () => {
  test('deletes archives of a restore that was killed and then run with another archive directory', async () => {
    using dir = tempDir()
    leave(dir.file('archives/restoring'), `${ID}.zip`)
    await using _service = await startService({ archives: [dir.file('archives')] })
    expect(readdirSync(dir.file('archives')).sort()).toEqual(['holdall-lock', 'holdall-owner'])
  })

  test('keeps a directory of that name with other files', async () => {
    using dir = tempDir()
    leave(dir.file('archives/restoring'), 'a.jpg')
    await using _service = await startService({ archives: [dir.file('archives')] })
    expect(existsSync(dir.file('archives/restoring/a.jpg'))).toBe(true)
  })

  test('deletes what a killed write of secrets has left, but not that of a write in progress', async () => {
    await using own = await startService()
    const left = join(own.dataDir, 'signing-secrets.json.new')
    writeFileSync(left, '[]')
    await own.restart()
    expect(existsSync(left)).toBe(true)
    const twoHoursAgo = Date.now() / 1000 - 7200
    utimesSync(left, twoHoursAgo, twoHoursAgo)
    await own.restart()
    expect(existsSync(left)).toBe(false)
  })
})
