import { expect } from 'bun:test'
import { expectedSha256 } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { hasCompleted, type Operation, tryRequest } from './operation.ts'
import type { Stage } from './stage.ts'

/** A job from its creation to its archive, with in-memory, in-place and spooled bodies. */
export const createAndPack: Operation = {
  name: 'create, claim, pack, checkpoint, finish',
  roles: ['main', 'worker', 'pool'],
  async prepare(stage) {
    await stage.warmUp()
    const id = stage.nextTry()
    let jobId: string | null = null
    return {
      async run() {
        if (jobId === null) {
          const settings = { urls: urlsOf(stage, id), zip_filename: `try-${id}` }
          jobId = (await tryRequest<{ job_id: string }>(stage, 'POST', '/jobs', settings))?.job_id ?? null
        } else await tryRequest(stage, 'POST', `/jobs/${jobId}/retry`)
        return jobId !== null && (await hasCompleted(stage, jobId))
      },
      async check() {
        const found = (await stage.jobs()).filter(({ zip_filename }) => zip_filename === `try-${id}.zip`)
        expect(found.length).toBeLessThanOrEqual(1)
        if (jobId !== null) expect(found).toMatchObject([{ id: jobId }])
        for (const job of found) {
          expect(job).toMatchObject({ status: 'completed', file_count: BODIES.length })
          expect(await readZip(stage.archivePath(job.id))).toMatchObject(ENTRIES)
        }
      },
    }
  },
}

/** Bodies of several kinds. Two names occur twice, so that local headers are written again at the end, with their numbers. */
export const NUMBERED_BODIES = [
  { sizeBytes: 3_000, name: 'small.txt', entryName: 'small.txt', query: 'type=text/plain' },
  { sizeBytes: 40_000, name: 'in-place.bin', entryName: 'in-place.bin', query: '' },
  { sizeBytes: 1_200_000, name: 'unknown.bin', entryName: 'unknown.bin', query: 'framing=chunked' },
  { sizeBytes: 3_500, name: 'small.txt', entryName: 'small (2).txt', query: 'type=text/plain' },
  { sizeBytes: 50_000, name: 'in-place.bin', entryName: 'in-place (2).bin', query: '' },
] as const

const BODIES = [
  ...NUMBERED_BODIES,
  // Arrives so late that a checkpoint is written before it.
  { sizeBytes: 20_000, name: 'late.bin', entryName: 'late.bin', query: 'delay_ms=1100' },
] as const

const ENTRIES = BODIES.map(({ entryName, sizeBytes }) => ({
  name: entryName,
  sizeBytes,
  sha256: expectedSha256(sizeBytes),
}))

const urlsOf = ({ origin }: Stage, id: number) =>
  BODIES.map(({ sizeBytes, name, query }) => origin.url(`/bytes/${sizeBytes}/${name}?${query}&try=${id}`))
