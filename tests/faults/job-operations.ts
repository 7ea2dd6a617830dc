import { expect } from 'bun:test'
import { existsSync } from 'node:fs'
import { readZip } from '../support/read-zip.ts'
import { until } from '../support/until.ts'
import { hasCompleted, type Operation, tryRequest } from './operation.ts'
import type { Stage } from './stage.ts'

export const cancel: Operation = {
  name: 'cancel',
  roles: ['main', 'worker', 'pool'],
  async prepare(stage) {
    await stage.warmUp()
    const id = stage.nextTry()
    const jobId = await stage.client.createJob({ urls: [small(stage, id), hanging(stage, id)] })
    await stage.client.until(
      jobId,
      () => stage.origin.requests(`/bytes/30000/b.bin?try=${id}&stall_at=9000&times=1`).length === 1,
    )
    return {
      async run() {
        try {
          return (await tryRequest(stage, 'POST', `/jobs/${jobId}/cancel`)) !== null
        } catch (error) {
          // A batch of the checkpoint may meet the fault before the request arrives. Then the job has failed by itself.
          if (await failedByFault(stage, jobId)) return true
          throw error
        }
      },
      async check(isDone) {
        const job = await stage.client.getJob(jobId)
        if (isDone) expect(job.status).toBe('failed')
        if (job.status === 'failed') await tryRequest(stage, 'POST', `/jobs/${jobId}/retry`)
        expect(await stage.client.untilEnded(jobId)).toMatchObject({ status: 'completed', file_count: 2 })
      },
    }
  },
}

export const retry = (fromCheckpoint: boolean): Operation => ({
  name: fromCheckpoint ? 'retry' : 'retry from scratch',
  roles: ['main', 'worker', 'pool'],
  async prepare(stage) {
    await stage.warmUp()
    const id = stage.nextTry()
    const jobId = await stage.client.createJob({ urls: [missing(stage, id), small(stage, id)] })
    expect(await stage.client.untilEnded(jobId)).toMatchObject({ status: 'failed' })
    return {
      async run() {
        const settings = { from_checkpoint: fromCheckpoint }
        if ((await tryRequest(stage, 'POST', `/jobs/${jobId}/retry`, settings)) === null) return false
        return await hasCompleted(stage, jobId)
      },
      async check(isDone) {
        const job = await stage.client.getJob(jobId)
        if (isDone) expect(job.status).toBe('completed')
        if (job.status === 'failed') await tryRequest(stage, 'POST', `/jobs/${jobId}/retry`)
        expect(await stage.client.untilEnded(jobId)).toMatchObject({ status: 'completed', file_count: 2 })
        expect(await readZip(stage.archivePath(jobId))).toMatchObject([{ name: 'b.bin' }, { name: 'a.bin' }])
      },
    }
  },
})

export const remove = (isRunning: boolean): Operation => ({
  name: isRunning ? 'delete while it runs' : 'delete',
  roles: isRunning ? ['main', 'worker', 'pool'] : ['main', 'pool'],
  async prepare(stage) {
    await stage.warmUp()
    const id = stage.nextTry()
    const jobId = await stage.client.createJob({
      urls: isRunning ? [small(stage, id), hanging(stage, id)] : [small(stage, id)],
    })
    if (isRunning)
      await stage.client.until(
        jobId,
        () => stage.origin.requests(`/bytes/30000/b.bin?try=${id}&stall_at=9000&times=1`).length === 1,
      )
    else await stage.client.untilEnded(jobId)
    return {
      run: async () => (await tryRequest(stage, 'DELETE', `/jobs/${jobId}`)) !== null,
      async check(isDone) {
        const { status } = await stage.client.request('GET', `/jobs/${jobId}`)
        if (isDone) expect(status).toBe(404)
      },
    }
  },
})

export const expire: Operation = {
  name: 'expire',
  roles: ['main', 'pool'],
  async prepare(stage) {
    await stage.warmUp()
    const id = stage.nextTry()
    const jobId = await stage.client.createJob({ urls: [small(stage, id)], expires_in: 1 })
    await stage.client.untilEnded(jobId)
    const isDeleted = () => !existsSync(stage.archivePath(jobId))
    return {
      async run() {
        const outcome = async () => {
          if (isDeleted()) return 'deleted'
          return (await tryRequest(stage, 'GET', `/jobs/${jobId}`)) === null && 'gone'
        }
        return (await until('the archive is deleted, or the service is gone', outcome)) === 'deleted'
      },
      async check() {
        await until('the archive is deleted', isDeleted)
        expect((await stage.client.getJob(jobId)).download_url).toBeUndefined()
      },
    }
  },
}

async function failedByFault({ client }: Stage, jobId: string): Promise<boolean> {
  const { failure } = await client.getJob(jobId)
  return failure?.code === 'DISK_FULL' || failure?.code === 'INTERNAL_ERROR'
}

const small = ({ origin }: Stage, id: number) => origin.url(`/bytes/30000/a.bin?try=${id}`)
/** Stalls in the middle of its first response. */
const hanging = ({ origin }: Stage, id: number) =>
  origin.url(`/bytes/30000/b.bin?try=${id}&stall_at=9000&times=1`)
/** Responds 404 to its first request. */
const missing = ({ origin }: Stage, id: number) =>
  origin.url(`/bytes/30000/b.bin?try=${id}&fail=1&fail_status=404`)
