import { describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { CheckpointEntry, PartialEntry, StoredEntry } from '../../server/engine/checkpoint/checkpoint.ts'
import { openCheckpointStore } from '../../server/jobs/lifecycle/checkpoint-store.ts'
import type { TransitionStore } from '../../server/jobs/lifecycle/transition-store.ts'
import { openJobQueries } from '../../server/jobs/reading/query-store.ts'
import { createShort, jobToCreate } from '../support/job-to-create.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { PROGRAM_FILES } from '../support/service.ts'

const COUNTS = { fileCount: 0, zipBytes: 0, reusedCount: 0, warningCount: 1 }

async function withClaimedJob<T>(work: (stores: ReturnType<typeof openStores>) => T): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'holdall-checkpoint-'))
  const stores = openStores(join(dir, 'holdall.db'))
  try {
    return work(stores)
  } finally {
    stores.db[Symbol.dispose]()
    await rm(dir, { recursive: true })
  }
}

function openStores(path: string) {
  const db = openDatabase(path, PROGRAM_FILES.migrationsDir)
  const user = openAccountStore(db).createUser('owner', 'pro', 0)
  const transitions = openTransitions(db)
  const userId = user?.id ?? ''
  const sources = Array.from({ length: 4 }, (_, index) => ({
    url: `http://example.com/${index}`,
    filename: null,
  }))
  createShort(transitions, jobToCreate({ userId }), sources)
  const claim = transitions.claimOldest(userId, Infinity)
  if (claim === null) throw new Error('there is no job to claim')
  return { db, transitions, checkpoints: openCheckpointStore(db), jobs: openJobQueries(db), claim, userId }
}

const space = (position: number, offset: number) => ({
  position,
  offset,
  name: `${position}.bin`,
  headerBytes: 46,
  compressedBytes: 5_000_000_000,
  modifiedAtMs: 1_780_000_000_000,
  etag: '"x"',
  hasLastModified: true,
  finalUrlHash: 'a1b2c3',
})
const stored = (position: number, offset: number): StoredEntry => ({
  ...space(position, offset),
  status: 'stored',
  sizeBytes: 6_000_000_000,
  crc32: 0xffff_ffff,
  sha256: '0f'.repeat(32),
  fetched: {
    finalUrl: 'https://elsewhere.example/a?sig=REDACTED',
    fetchedAtMs: 1_780_000_000_123,
    status: 200,
    contentType: 'text/plain',
    etag: 'W/"x"',
    lastModifiedMs: null,
  },
  method: 8,
  isReused: true,
  kept: { from: 1_770_000_000_000, error: 'HTTP 404' },
  warning: { code: 'EMPTY', message: 'Nothing in it.' },
})
const partial = (position: number, offset: number): PartialEntry => ({
  ...space(position, offset),
  status: 'partial',
  stretches: [
    { start: 0, end: 1_000_000_000, crc32: 0xffff_ffff },
    { start: 2_000_000_000, end: 4_000_000_000, crc32: 0 },
  ],
})

test('a committed checkpoint is loaded unchanged, and the user sees its counts', async () => {
  await withClaimedJob(({ checkpoints, jobs, claim, userId }) => {
    const entries: CheckpointEntry[] = [
      stored(0, 0),
      partial(1, 7_000_000_000),
      { status: 'failed', position: 3, part: null, error: 'HTTP 404', warning: null },
      {
        status: 'failed',
        position: 4,
        part: partial(4, 20_000_000_000),
        error: 'HTTP 401',
        warning: { code: 'LOGIN_REFUSED', message: 'It may have expired.' },
      },
    ]
    checkpoints.commit(
      claim,
      entries.map((entry) => ({ kind: 'put', entry })),
      { fileCount: 1, zipBytes: 9, reusedCount: 1, warningCount: 1 },
      true,
    )
    expect(checkpoints.load(claim.jobId)?.checkpoint).toEqual({ entries, move: null, settledBytes: 0 })
    expect(jobs.find(userId, claim.jobId)?.job).toMatchObject({
      fileCount: 1,
      zipBytes: 9,
      reusedCount: 1,
      warningCount: 1,
    })
  })
})

describe('what has arrived of the body of a failed URL', () => {
  const failed = (position: number, offset: number) =>
    ({
      status: 'failed',
      position,
      part: partial(position, offset),
      error: 'Timed out',
      warning: null,
    }) as const
  const AS_BEFORE = { fromCheckpoint: true, skipFailed: false, replace: [] }
  const afterRetry = (options: Parameters<TransitionStore['retry']>[3]) =>
    withClaimedJob(({ transitions, checkpoints, claim, userId }) => {
      const puts = [failed(0, 0), failed(1, 7_000_000_000)].map((entry) => ({ kind: 'put', entry }) as const)
      checkpoints.commit(claim, puts, COUNTS, true)
      transitions.fail(claim, { code: 'URL_FAILED', message: '' }, 0, 2)
      transitions.retry(userId, claim.jobId, 3, options)
      return checkpoints.checkpointOf(claim.jobId).entries
    })

  test('is continued by a retry', async () => {
    expect(await afterRetry(AS_BEFORE)).toEqual([partial(0, 0), partial(1, 7_000_000_000)])
  })

  test('is deleted by a retry from scratch, or one that leaves failed URLs out', async () => {
    expect(await afterRetry({ ...AS_BEFORE, fromCheckpoint: false })).toEqual([])
    const withoutPart = (position: number) => ({ ...failed(position, 0), part: null })
    expect(await afterRetry({ ...AS_BEFORE, skipFailed: true })).toEqual([withoutPart(0), withoutPart(1)])
  })

  test('is not continued with another URL', async () => {
    const replace = [{ position: 0, url: 'http://127.0.0.1/other' }]
    expect(await afterRetry({ ...AS_BEFORE, replace })).toEqual([partial(1, 7_000_000_000)])
  })
})

test('checkpoint changes apply in order: put replaces an entry, drop deletes it, and a shift ends a move', async () => {
  await withClaimedJob(({ checkpoints, claim }) => {
    const move = { from: 100, to: 300, by: 50, movedBytes: 20, copyOffset: 500, copyBytes: 7 }
    checkpoints.commit(
      claim,
      [
        { kind: 'put', entry: partial(0, 0) },
        { kind: 'put', entry: stored(0, 10) },
        { kind: 'put', entry: stored(1, 100) },
        { kind: 'put', entry: stored(2, 300) },
        { kind: 'put', entry: stored(3, 400) },
        { kind: 'drop', position: 3 },
        { kind: 'move', move },
      ],
      COUNTS,
      false,
    )
    expect(checkpoints.load(claim.jobId)?.checkpoint.move).toEqual(move)
    checkpoints.commit(claim, [{ kind: 'shift', from: 100, to: 300, by: 50 }], COUNTS, true)
    expect(checkpoints.load(claim.jobId)?.checkpoint).toEqual({
      entries: [stored(0, 10), stored(1, 50), stored(2, 300)],
      move: null,
      settledBytes: 0,
    })
  })
})

test('a run changes nothing after its job was claimed again or deleted', async () => {
  await withClaimedJob(({ transitions, checkpoints, claim, userId }) => {
    transitions.release(claim, 0)
    const next = transitions.claimOldest(userId, Infinity)
    checkpoints.commit(claim, [{ kind: 'put', entry: stored(0, 0) }], COUNTS, false)
    expect(transitions.complete(claim, { fileCount: 0, zipBytes: 1, changed: [] }, 2)).toBe(false)
    expect(transitions.fail(claim, { code: 'INTERNAL_ERROR', message: '' }, 0, 2)).toBe(false)
    expect(checkpoints.load(claim.jobId)?.checkpoint.entries).toEqual([])
    expect(next?.claimNumber).toBe(claim.claimNumber + 1)

    transitions.delete(userId, claim.jobId, 2)
    checkpoints.commit(claim, [{ kind: 'put', entry: stored(0, 0) }], COUNTS, false)
    expect(checkpoints.load(claim.jobId)).toBeNull()
  })
})
