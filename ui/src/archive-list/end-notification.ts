import type { JobListItem } from '../api/types.ts'
import { formatBytes } from '../base/format.ts'
import icon from '../base/icons/app-192.png'
import { plainText } from '../base/message.ts'
import { showToast } from '../base/toasts.tsx'
import { archiveListCopy } from '../language/english/archive-list.ts'
import { baseCopy } from '../language/english/base.ts'
import { browserStorage } from '../session/browser-storage.ts'
import { failureMessage } from './archive-state.ts'

/**
 * Call it when a job ends while the page shows it. Notifies the user, unless the page is visible. After the first archive
 * that the user saw getting ready, asks once whether to notify.
 */
export function notifyOfEnd(job: JobListItem): void {
  if (!('Notification' in window) || job.failure?.code === 'CANCELLED') return
  if (Notification.permission === 'granted') {
    if (document.visibilityState === 'hidden') show(job)
  } else if (Notification.permission === 'default' && job.status === 'completed') askOnce()
}

function show(job: JobListItem): void {
  const copy = archiveListCopy.notification
  const isReady = job.status === 'completed'
  // If several tabs show the job, the tag makes one notification of theirs.
  const notification = new Notification((isReady ? copy.ready : copy.failed)(job.zip_filename), {
    body: isReady
      ? `${baseCopy.files(job.file_count)} · ${formatBytes(job.zip_size)}`
      : plainText(failureMessage(job)),
    tag: job.id,
    icon,
  })
  notification.onclick = () => {
    window.focus()
    window.location.assign(`/archives/${job.id}`)
  }
}

function askOnce(): void {
  // Browsers on phones and tablets let only service workers notify.
  if (!matchMedia('(hover: hover)').matches || browserStorage.getItem(ASKED_STORAGE_NAME) !== null) return
  browserStorage.setItem(ASKED_STORAGE_NAME, '')
  showToast({
    text: archiveListCopy.notification.offer,
    action: { label: archiveListCopy.notification.accept, run: () => void Notification.requestPermission() },
  })
}

const ASKED_STORAGE_NAME = 'holdall.asked-to-notify'
