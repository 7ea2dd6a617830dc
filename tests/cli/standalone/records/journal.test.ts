import { describe, expect, test } from 'bun:test'
import { appendFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { CheckpointJournal } from '../../../../server/cli/standalone/records/journal.ts'
import type { StoredEntry } from '../../../../server/engine/checkpoint/checkpoint.ts'
import { tempDir } from '../../../support/temp-dir.ts'

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
    sha256: null,
    fetched: null,
    method: 0,
    modifiedAtMs: 0,
    etag: null,
    hasLastModified: false,
    finalUrlHash: null,
    isReused: false,
    kept: null,
    warning: null,
  }
}

describe('a checkpoint journal', () => {
  test('does not block on a pipe in place of its file, and follows no symbolic link', () => {
    using dir = tempDir()
    expect(Bun.spawnSync(['mkfifo', dir.file('j')]).exitCode).toBe(0)
    writeFileSync(dir.file('elsewhere'), 'kept')
    symlinkSync(dir.file('elsewhere'), dir.file('j.new'))
    using journal = new CheckpointJournal(dir.file('j'), SOURCES)
    expect(journal.checkpoint).toEqual({ entries: [], move: null, settledBytes: 0 })
    expect(readFileSync(dir.file('elsewhere'), 'utf8')).toBe('kept')
    expect(readdirSync(dir.path).sort()).toEqual(['elsewhere', 'j'])
  })

  test('that is opened again returns the checkpoint after all changes', () => {
    using dir = tempDir()
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      expect(journal.checkpoint).toEqual({ entries: [], move: null, settledBytes: 0 })
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
    expect(again.checkpoint).toEqual({ entries: [stored(1, 0)], move: null, settledBytes: 0 })
  })

  test('keeps every field of an entry', () => {
    using dir = tempDir()
    const entry: StoredEntry = {
      status: 'stored',
      position: 2,
      name: 'a "name".txt',
      offset: 3,
      headerBytes: 4,
      compressedBytes: 5,
      sizeBytes: 6,
      crc32: 0xffffffff,
      sha256: 'ab'.repeat(32),
      fetched: {
        finalUrl: 'https://elsewhere.example/a?sig=REDACTED',
        fetchedAtMs: 1_780_000_000_123,
        status: 200,
        contentType: 'text/plain',
        etag: 'W/"x"',
        lastModifiedMs: null,
      },
      method: 8,
      modifiedAtMs: 7.5,
      etag: 'W/"v"',
      hasLastModified: true,
      finalUrlHash: 'hash',
      isReused: true,
      kept: { from: 1_000, error: 'HTTP 404' },
      warning: { code: 'HTML_INSTEAD', message: 'A "page".' },
    }
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      journal.append([{ kind: 'put', entry }], false)
    }
    using again = new CheckpointJournal(dir.file('j'), SOURCES)
    expect(again.checkpoint).toEqual({ entries: [entry], move: null, settledBytes: 0 })
  })

  test('keeps an unfinished move', () => {
    using dir = tempDir()
    const move = { from: 100, to: 900, by: 50, movedBytes: 20, copyOffset: 900, copyBytes: 30 }
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      journal.append([{ kind: 'move', move }], true)
    }
    using again = new CheckpointJournal(dir.file('j'), SOURCES)
    expect(again.checkpoint).toEqual({ entries: [], move, settledBytes: 0 })
  })

  test('drops failed URLs, so that they are tried again, but not what has arrived of their bodies', () => {
    using dir = tempDir()
    const { status: _, sizeBytes: __, method: ___, isReused: ____, ...rest } = stored(1, 0)
    const { kept: _____, warning: ______, ...space } = rest
    const { crc32: _crc32, sha256: _sha256, fetched: _fetched, ...place } = space
    const part = { ...place, status: 'partial', stretches: [{ start: 0, end: 1, crc32: 7 }] } as const
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      const failed = { status: 'failed', error: 'HTTP 404', warning: null } as const
      journal.append([{ kind: 'put', entry: { ...failed, position: 0, part: null } }], false)
      journal.append([{ kind: 'put', entry: { ...failed, position: 1, part } }], false)
    }
    using again = new CheckpointJournal(dir.file('j'), SOURCES)
    expect(again.checkpoint.entries).toEqual([part])
  })

  test('ignores an incomplete line, which a crash leaves at the end', () => {
    using dir = tempDir()
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      journal.append([{ kind: 'put', entry: stored(0, 0) }], false)
    }
    appendFileSync(dir.file('j'), '[{"kind":"put","entry":{"status":"sto')
    using again = new CheckpointJournal(dir.file('j'), SOURCES)
    expect(again.checkpoint.entries).toEqual([stored(0, 0)])
  })

  test('of another list of URLs is ignored', () => {
    using dir = tempDir()
    {
      using journal = new CheckpointJournal(dir.file('j'), SOURCES)
      journal.append([{ kind: 'put', entry: stored(0, 0) }], false)
    }
    using other = new CheckpointJournal(dir.file('j'), SOURCES.slice(1))
    expect(other.checkpoint.entries).toEqual([])
  })

  for (const [title, tamper] of [
    ['is not a journal', () => 'hello'],
    ['gives the same bytes to two entries', (text: string) => text.replace('"offset":100', '"offset":50')],
    [
      'has a position that does not exist in the list',
      (text: string) => text.replace('"position":1', '"position":9'),
    ],
    ['has an invalid value', (text: string) => text.replace('"offset":0', '"offset":-1')],
    ['lacks a value', (text: string) => text.replace('"offset":0,', '')],
  ] as const) {
    test(`that ${title} is ignored`, () => {
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
      expect(again.checkpoint).toEqual({ entries: [], move: null, settledBytes: 0 })
    })
  }
})
