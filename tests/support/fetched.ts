import { type ReadEntry, readZip } from './read-zip.ts'
import { tempDir } from './temp-dir.ts'
import { type RunOptions, testJob } from './test-job.ts'

/** What a job makes of one URL: the error, or the entry. */
export async function fetched(
  url: string,
  { filename = null, ...options }: RunOptions & { readonly filename?: string | null } = {},
): Promise<string | ReadEntry> {
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [{ url, filename }])
  const { status } = await job.run(options)
  const [failure] = job.errors
  if (failure !== undefined) return failure[1]
  const [entry] = status === 'completed' ? await readZip(job.archivePath) : []
  if (entry === undefined) throw new Error(`the job is ${status}`)
  return entry
}
