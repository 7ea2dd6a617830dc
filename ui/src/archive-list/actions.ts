import { createSignal } from 'solid-js'
import { cancelJob, deleteJob, getJob, type RetryOptions, retryJob } from '../api/jobs.ts'
import { showToast } from '../base/toasts.tsx'

const [leaving, setLeaving] = createSignal<ReadonlySet<string>>(new Set())

/** Jobs that were deleted here and may still be taken back: lists leave them out. */
export { leaving }

/** Takes an archive out of sight at once and deletes it when the time to undo is over. */
export function deleteWithUndo(id: string, name: string): void {
  let pending = true
  const finish = () => {
    if (!pending) return
    pending = false
    removeEventListener('pagehide', finish)
    void attempt(deleteJob(id), () => stay(id))
  }
  const takeBack = () => {
    pending = false
    removeEventListener('pagehide', finish)
    stay(id)
  }
  setLeaving((ids) => new Set(ids).add(id))
  // Whoever closes the page has decided.
  addEventListener('pagehide', finish)
  showToast({ text: `Deleted ${name}`, undo: takeBack, onGone: finish })
}

function stay(id: string): void {
  setLeaving((ids) => new Set([...ids].filter((other) => other !== id)))
}

export async function retry(id: string, options?: RetryOptions): Promise<void> {
  await attempt(retryJob(id, options))
}

export async function cancel(id: string): Promise<void> {
  await attempt(cancelJob(id))
}

/** Stops a job at once; to undo that is to let it go on from where it was. */
export async function cancelWithUndo(id: string, name: string): Promise<void> {
  const isCancelled = await attempt(cancelJob(id).then(() => true))
  if (isCancelled) showToast({ text: `Cancelled ${name}`, undo: () => void retry(id) })
}

/** Starts the download of an archive of a list, whose rows don't hold its address. */
export async function download(id: string): Promise<void> {
  const job = await attempt(getJob(id))
  if (job?.download_url === undefined) return
  const link = document.createElement('a')
  link.href = job.download_url
  link.download = ''
  link.click()
}

/** Says so when an action did not succeed. */
async function attempt<T>(action: Promise<T>, onFailure?: () => void): Promise<T | undefined> {
  try {
    return await action
  } catch (error) {
    onFailure?.()
    showToast({ text: error instanceof Error ? error.message : String(error) })
    return undefined
  }
}
