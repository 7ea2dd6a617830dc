import { createEffect, createMemo, on } from 'solid-js'
import type { Job } from '../api/types.ts'
import { type ArchiveState, isActive } from '../archive-list/archive-state.ts'
import { notifyOfEnd } from '../archive-list/end-notification.ts'
import { formatPercent } from '../base/format.ts'
import { type TabStatus, useTabIcon } from '../base/tab-icon.ts'

/**
 * Shows in the browser tab how much of an archive is done and how it ended, and notifies of the end.
 * @param fraction from 0 to 1
 * @returns the title of the tab
 */
export function showInTab(job: () => Job, state: () => ArchiveState, fraction: () => number): () => string {
  const status = (): TabStatus => {
    switch (state()) {
      case 'running':
        return fraction()
      case 'ready':
        return 'ready'
      case 'failed':
        return 'failed'
      default:
        return null
    }
  }
  useTabIcon(status)
  const active = createMemo(() => isActive(job()))
  createEffect(on(active, (active) => active || notifyOfEnd(job()), { defer: true }))
  return () => {
    const name = job().zip_filename
    if (state() === 'running') return `${formatPercent(fraction())} ${name}`
    return state() === 'ready' ? `✓ ${name}` : name
  }
}
