import { createSignal } from 'solid-js'
import { cancelJob, deleteJob, getJob, type RetryOptions, retryJob } from '../api/jobs.ts'
import type { JobListItem } from '../api/types.ts'
import { messageOf } from '../base/message.ts'
import { showToast } from '../base/toasts.tsx'
import { archiveListCopy } from '../language/english/archive-list.ts'
import { baseCopy } from '../language/english/base.ts'
import { sessionKey } from '../session/session.ts'

const [pendingDeletions, setPendingDeletions] = createSignal<ReadonlySet<string>>(new Set())

/** The ids of jobs that the user deleted and can still restore. Lists leave them out. */
export { pendingDeletions }

/** Deletions whose request has no response yet. */
const runningDeletions = new Set<Promise<unknown>>()

/** Waits for the deletions that have been sent. Until then, the key that was sent with them must stay valid. */
export async function untilDeleted(): Promise<void> {
  await Promise.all(runningDeletions)
}

/** What the actions need of a job. */
export type NamedJob = Pick<JobListItem, 'id' | 'zip_filename'>

/** Hides archives at once, and deletes them when the toast closes without undo. */
export function deleteWithUndo(jobs: readonly NamedJob[]): void {
  const ids = jobs.map(({ id }) => id)
  const key = sessionKey()
  let isPending = true
  const deleteNow = () => {
    if (!isPending) return
    isPending = false
    removeEventListener('pagehide', deleteNow)
    const deletion = deleteAll(ids, key)
    runningDeletions.add(deletion)
    void deletion.then(() => runningDeletions.delete(deletion))
  }
  const undo = () => {
    isPending = false
    removeEventListener('pagehide', deleteNow)
    restore(ids)
  }
  setPendingDeletions((pending) => new Set([...pending, ...ids]))
  // Closing the page ends the time for undo.
  addEventListener('pagehide', deleteNow)
  showToast({ text: archiveListCopy.deleted(namesOf(jobs)), undo, onClose: deleteNow })
}

/** Deletes jobs. Those that can't be deleted are shown again, with one message. */
async function deleteAll(ids: readonly string[], key: string | null): Promise<void> {
  const results = await Promise.allSettled(ids.map((id) => deleteJob(id, key)))
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ id: ids[index] ?? '', reason: result.reason }] : [],
  )
  restore(failures.map(({ id }) => id))
  const [first] = failures
  if (first) showToast({ text: messageOf(first.reason) })
}

function restore(ids: readonly string[]): void {
  setPendingDeletions((pending) => new Set([...pending].filter((id) => !ids.includes(id))))
}

/** The name of one archive, or how many there are. */
function namesOf(jobs: readonly NamedJob[]): string {
  const [first] = jobs
  return first && jobs.length === 1 ? first.zip_filename : baseCopy.archives(jobs.length)
}

export async function retry(id: string, options?: RetryOptions): Promise<void> {
  await withErrorToast(retryJob(id, options))
}

export async function cancel(id: string): Promise<void> {
  await withErrorToast(cancelJob(id))
}

/** Cancels a job at once. Undo retries it, which continues from its checkpoint. */
export async function cancelWithUndo(id: string, name: string): Promise<void> {
  const isCancelled = await withErrorToast(cancelJob(id).then(() => true))
  if (isCancelled) showToast({ text: archiveListCopy.cancelled(name), undo: () => void retry(id) })
}

/** Starts a download from a list. The jobs of a list have no download URL, so it loads the job first. */
export async function download(id: string): Promise<void> {
  const job = await withErrorToast(getJob(id))
  if (job?.download_url === undefined) return
  const link = document.createElement('a')
  link.href = job.download_url
  link.download = ''
  link.click()
}

/** Starts the downloads of archives one after the other. */
export async function downloadAll(ids: readonly string[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, DOWNLOAD_GAP_MS))
    await download(id)
  }
}

/** Shows a toast if an action fails. */
async function withErrorToast<T>(action: Promise<T>): Promise<T | undefined> {
  try {
    return await action
  } catch (error) {
    showToast({ text: messageOf(error) })
    return undefined
  }
}

/** Safari drops a download when the next one begins at once. */
const DOWNLOAD_GAP_MS = 1_000
