import { createSignal, onCleanup } from 'solid-js'
import { probeLinks } from '../api/inspection.ts'
import type { ProbeResult } from '../api/types.ts'
import { type Message, messageOf } from '../base/message.ts'
import { STOPPED } from '../base/stopped.ts'
import type { CheckResults } from './check-findings.ts'
import type { DraftLink } from './draft-links.ts'

/** A check of the links of the draft. Results stay with their links when others are removed. */
export interface LinkCheck {
  /** Null until a check has begun. */
  state(): CheckState | null
  start(links: readonly DraftLink[]): Promise<void>
  stop(): void
  close(): void
}

export interface CheckState {
  readonly isRunning: boolean
  readonly results: CheckResults
  readonly error: Message | null
}

export function createLinkCheck(): LinkCheck {
  const [state, setState] = createSignal<CheckState | null>(null)
  let current = new AbortController()
  onCleanup(() => current.abort(STOPPED))

  async function start(links: readonly DraftLink[]) {
    current.abort(STOPPED)
    const stop = new AbortController()
    current = stop
    const found = new Map<DraftLink, ProbeResult>()
    const show = (isRunning: boolean, error: Message | null = null) => {
      if (current === stop) setState({ isRunning, results: new Map(found), error })
    }
    show(true)
    // Thousands of results come within seconds.
    const timer = setInterval(() => show(true), SHOW_MS)
    try {
      for await (const result of probeLinks(links, stop.signal)) {
        const link = links[result.position]
        if (link !== undefined) found.set(link, result)
      }
      show(false)
    } catch (error) {
      show(false, stop.signal.aborted ? null : messageOf(error))
    } finally {
      clearInterval(timer)
    }
  }

  return {
    state,
    start,
    stop: () => current.abort(STOPPED),
    close() {
      const closed = current
      current = new AbortController()
      closed.abort(STOPPED)
      setState(null)
    },
  }
}

const SHOW_MS = 200
