import { createSignal } from 'solid-js'
import { cancelJob, deleteJob, getJob, type RetryOptions, retryJob } from '../api/jobs.ts'
import { messageOf } from '../base/message-of.ts'
import { showToast } from '../base/toasts.tsx'
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

/** Hides an archive at once, and deletes it when the toast closes without undo. */
export function deleteWithUndo(id: string, name: string): void {
  const key = sessionKey()
  let isPending = true
  const deleteNow = () => {
    if (!isPending) return
    isPending = false
    removeEventListener('pagehide', deleteNow)
    const deletion = withErrorToast(deleteJob(id, key), () => restore(id))
    runningDeletions.add(deletion)
    void deletion.then(() => runningDeletions.delete(deletion))
  }
  const undo = () => {
    isPending = false
    removeEventListener('pagehide', deleteNow)
    restore(id)
  }
  setPendingDeletions((ids) => new Set(ids).add(id))
  // Closing the page ends the time for undo.
  addEventListener('pagehide', deleteNow)
  showToast({ text: `Deleted ${name}`, undo, onClose: deleteNow })
}

function restore(id: string): void {
  setPendingDeletions((ids) => new Set([...ids].filter((other) => other !== id)))
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
  if (isCancelled) showToast({ text: `Cancelled ${name}`, undo: () => void retry(id) })
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

/** Shows a toast if an action fails. */
async function withErrorToast<T>(action: Promise<T>, onFailure?: () => void): Promise<T | undefined> {
  try {
    return await action
  } catch (error) {
    onFailure?.()
    showToast({ text: messageOf(error) })
    return undefined
  }
}
