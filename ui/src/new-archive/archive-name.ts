import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from 'solid-js'
import { listJobs } from '../api/jobs.ts'
import { STOPPED } from '../base/stopped.ts'
import { draft, draftLinks } from './draft.ts'
import { defaultName } from './draft-links.ts'
import { asArchiveName, numbered } from './name-text.ts'

export interface NameOfDraft {
  /** What the archive will be called, without `.zip`: as typed, else as proposed. */
  readonly shown: Accessor<string>
  /** The name that is proposed as long as none is typed. */
  readonly proposed: Accessor<string>
  /** Waits until the names of earlier archives are known, and returns the name. */
  settle(): Promise<string>
}

/** The name of the archive that the draft becomes, proposed from what was pasted and numbered if an earlier archive has it. */
export function createArchiveName(): NameOfDraft {
  const hasLinks = createMemo(() => draftLinks().length > 0)
  const [earlier, setEarlier] = createSignal<readonly string[]>([])
  let loading = Promise.resolve()
  // Not a resource, for which the page would wait.
  createEffect(() => {
    if (!hasLinks()) return
    const left = new AbortController()
    onCleanup(() => left.abort(STOPPED))
    loading = earlierNames(left.signal).then((names) => {
      if (!left.signal.aborted) setEarlier(names)
    })
  })
  const proposed = createMemo(() => {
    const { title } = draft()
    const name = title === null ? '' : asArchiveName(title)
    const wanted = name === '' ? defaultName(draftLinks(), Date.now()) : name
    return numbered(wanted, earlier())
  })
  const shown = () => {
    const typed = draft().name?.trim() ?? ''
    return typed === '' ? proposed() : typed
  }
  return {
    shown,
    proposed,
    async settle() {
      await loading
      return shown()
    },
  }
}

/** If they can't be loaded, the name is not numbered. */
async function earlierNames(signal: AbortSignal): Promise<readonly string[]> {
  const page = await listJobs({ count: COMPARED_ARCHIVES }, signal).catch(() => null)
  return page?.jobs.map(({ zip_filename }) => zip_filename.replace(/\.zip$/i, '')) ?? []
}

/** A page of the list. */
const COMPARED_ARCHIVES = 100
