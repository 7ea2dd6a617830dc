import { dataPaths } from '../../server/data/data-dir.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'

/** The built executable as a service with an empty data directory and otherwise usual settings. */
export interface MeasuredService extends AsyncDisposable {
  readonly client: Client
  readonly address: string
  /** Its peak memory since the start. */
  peakBytes(): number
  archivePath(jobId: string): string
  /** Deletes a job and its archive, so that archives do not fill the disk. */
  deleteJob(jobId: string): Promise<void>
}

export async function startMeasuredService(): Promise<MeasuredService> {
  await using stack = new AsyncDisposableStack()
  const holdall: Holdall = stack.use(await startHoldall())
  const client = await signInOwner(holdall)
  const owned = stack.move()
  return {
    client,
    address: holdall.address,
    peakBytes: () => holdall.peakMemoryBytes(),
    archivePath: (jobId) => dataPaths(holdall.dataDir).archive(jobId),
    async deleteJob(jobId) {
      const { status } = await client.request('DELETE', `/jobs/${jobId}`)
      if (status !== 200 && status !== 204) throw new Error(`DELETE /jobs/${jobId} answers ${status}`)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
