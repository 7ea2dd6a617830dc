import { createEffect } from 'solid-js'
import { createStore, type SetStoreFunction } from 'solid-js/store'
import { browserStorage } from '../session/browser-storage.ts'
import { type ArchiveOptions, DEFAULT_OPTIONS } from './archive-options.tsx'

/** The options of the last archive, without its metadata, which belong to that archive alone. */
export function createRememberedOptions(): [ArchiveOptions, SetStoreFunction<ArchiveOptions>] {
  const [options, setOptions] = createStore<ArchiveOptions>({ ...DEFAULT_OPTIONS, ...remembered() })
  createEffect(() => {
    const { retentionSeconds, skipFailed, hasManifest } = options
    browserStorage.setItem(STORAGE_NAME, JSON.stringify({ retentionSeconds, skipFailed, hasManifest }))
  })
  return [options, setOptions]
}

function remembered(): Partial<ArchiveOptions> {
  try {
    const saved: unknown = JSON.parse(browserStorage.getItem(STORAGE_NAME) ?? '{}')
    if (typeof saved !== 'object' || saved === null) return {}
    return {
      ...('retentionSeconds' in saved && typeof saved.retentionSeconds === 'number'
        ? { retentionSeconds: saved.retentionSeconds }
        : {}),
      ...('skipFailed' in saved && typeof saved.skipFailed === 'boolean'
        ? { skipFailed: saved.skipFailed }
        : {}),
      ...('hasManifest' in saved && typeof saved.hasManifest === 'boolean'
        ? { hasManifest: saved.hasManifest }
        : {}),
    }
  } catch {
    return {}
  }
}

const STORAGE_NAME = 'holdall.options'
