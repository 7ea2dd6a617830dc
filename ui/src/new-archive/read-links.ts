import { titleIn } from '../links/find-title.ts'
import type { Recognised } from '../links/link.ts'
import { recognisedIn } from '../links/recognise-links.ts'

export interface ReadOptions {
  /** Called with a number from 0 to 1. */
  readonly onProgress: (fraction: number) => void
  readonly signal: AbortSignal
}

/** What was recognised in a text or a file. */
export interface ReadLinks {
  readonly items: readonly Recognised[]
  /** What the text calls itself. */
  readonly title: string | null
}

/** What the worker sends: a part of the items, and how much of the text has been read, from 0 to 1. The last part has the title. */
export interface ReadPart extends ReadLinks {
  readonly fraction: number
  readonly isLast: boolean
}

/** Recognises the links of a text or a file. What is long is read in a worker, so that the page stays responsive. */
export async function readLinks(
  source: string | Blob,
  { onProgress, signal }: ReadOptions,
): Promise<ReadLinks> {
  if (typeof source === 'string' && source.length <= MAX_DIRECT_CHARACTERS)
    return { items: recognisedIn(source), title: titleIn(source) }
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve, reject) => {
      const parts: Recognised[][] = []
      signal.addEventListener('abort', () => reject(signal.reason))
      worker.addEventListener('error', () => reject(new Error('This text can’t be read.')))
      worker.addEventListener('message', ({ data }: MessageEvent<ReadPart>) => {
        parts.push([...data.items])
        onProgress(data.fraction)
        if (data.isLast) resolve({ items: parts.flat(), title: data.title })
      })
      worker.postMessage(source)
    })
  } finally {
    worker.terminate()
  }
}

/** Takes a few milliseconds, less than to start a worker. */
const MAX_DIRECT_CHARACTERS = 50_000
