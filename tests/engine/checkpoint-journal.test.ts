import { describe, expect, test } from 'bun:test'
import { appendFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { StoredEntry } from '../../server/engine/checkpoint.ts'
import { CheckpointJournal } from '../../server/engine/checkpoint-journal.ts'
import { tempDir } from '../support/temp-dir.ts'

const SOURCES = ['a', 'b', 'c'].map((name) => ({ url: `http://127.0.0.1/${name}`, filename: null }))

function stored(position: number, offset: number): StoredEntry {
  const sizes = { headerBytes: 60, compressedBytes: 40, sizeBytes: 40 }
  return {
    status: 'stored',
    position,
    name: `${position}`,
    offset,
    ...sizes,
    crc32: 7,
    method: 0,
    modifiedAtMs: 0,
  }
}

describe('a checkpoint journal', () => {
  test('waits for no pipe that lies in its place, and follows no link there', () => {
    using dir = tempDir()
    expect(Bun.spawnSync(['mkfifo', dir.file('j')]).exitCode).toBe(0)
    writeFileSync(dir.file('elsewhere'), 'kept')
    symlinkSync(dir.file('elsewhere'), dir.file('j.new'))
    using journal = new CheckpointJournal(dir.file('j'), SOURCES)
    expect(journal.checkpoint).toEqual({ entries: [], slide: null })
    expect(readFileSync(dir.file('elsewhere'), 'utf8')).toBe('kept')
    expect(readdirSync(dir.path).sort()).toEqual(['elsewhere', 'j'])
  })

  test('gives back what was appended, in its last state', () => {
    using dir = tempDir()
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      expect(journal.checkpoint).toEqual({ entries: [], slide: null })
      journal.append(
        [
          { kind: 'put', entry: stored(0, 0) },
          { kind: 'put', entry: stored(1, 100) },
        ],
        false,
      )
      journal.append(
        [
          { kind: 'drop', position: 0 },
          { kind: 'shift', from: 100, to: 200, by: 100 },
        ],
        true,
      )
    }
    using again = new CheckpointJournal(dir.file('j'), SOURCES)
    expect(again.checkpoint).toEqual({ entries: [stored(1, 0)], slide: null })
  })

  test('forgets what failed, which is to be tried again', () => {
    using dir = tempDir()
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      journal.append([{ kind: 'put', entry: { status: 'failed', position: 2, error: 'HTTP 404' } }], false)
    }
    using again = new CheckpointJournal(dir.file('j'), SOURCES)
    expect(again.checkpoint.entries).toEqual([])
  })

  test('ignores a line that a crash cut short, and all behind it', () => {
    using dir = tempDir()
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      journal.append([{ kind: 'put', entry: stored(0, 0) }], false)
    }
    appendFileSync(dir.file('j'), '[{"kind":"put","entry":{"status":"sto')
    using again = new CheckpointJournal(dir.file('j'), SOURCES)
    expect(again.checkpoint.entries).toEqual([stored(0, 0)])
  })

  test('of another list is none', () => {
    using dir = tempDir()
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      journal.append([{ kind: 'put', entry: stored(0, 0) }], false)
    }
    using other = new CheckpointJournal(dir.file('j'), SOURCES.slice(1))
    expect(other.checkpoint.entries).toEqual([])
  })

  for (const [title, tamper] of [
    ['is no journal', () => 'hello'],
    ['claims the same bytes twice', (text: string) => text.replace('"offset":100', '"offset":50')],
    [
      'names a position that the list has not',
      (text: string) => text.replace('"position":1', '"position":9'),
    ],
    ['says what makes no sense', (text: string) => text.replace('"offset":0', '"offset":-1')],
  ] as const) {
    test(`that ${title} is none`, () => {
      using dir = tempDir()
      {
        using journal = new CheckpointJournal(dir.file('j'), SOURCES)
        journal.append(
          [
            { kind: 'put', entry: stored(0, 0) },
            { kind: 'put', entry: stored(1, 100) },
          ],
          false,
        )
      }
      writeFileSync(dir.file('j'), tamper(readFileSync(dir.file('j'), 'utf8')))
      using again = new CheckpointJournal(dir.file('j'), SOURCES)
      expect(again.checkpoint).toEqual({ entries: [], slide: null })
    })
  }
})
