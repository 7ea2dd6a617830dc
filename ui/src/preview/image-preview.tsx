import { createEffect, createSignal, onCleanup, Show } from 'solid-js'
import { imageSize, pixelsOf } from './image-size.ts'
import { isDrawing } from './preview-kind.ts'
import { readBeginning } from './read-beginning.ts'

/** An image, unless it has so many pixels that its tab would take gigabytes. */
export function ImagePreview(props: {
  url: string
  name: string
  class: string | undefined
  onError: () => void
}) {
  const [isSmall, setSmall] = createSignal(false)
  createEffect(() => {
    const lifetime = new AbortController()
    onCleanup(() => lifetime.abort())
    const url = props.url
    void isPaintable(url, props.name, lifetime.signal).then((paintable) => {
      if (lifetime.signal.aborted) return
      if (paintable) setSmall(true)
      else props.onError()
    })
  })
  return (
    <Show when={isSmall()}>
      <img class={props.class} src={props.url} alt={props.name} onError={() => props.onError()} />
    </Show>
  )
}

/** Where the size is not known, the browser decides. */
async function isPaintable(url: string, name: string, signal: AbortSignal): Promise<boolean> {
  if (isDrawing(name)) return true
  try {
    const size = imageSize((await readBeginning(url, BEGINNING_BYTES, signal)).bytes)
    return size === null || pixelsOf(size) <= MAX_PIXELS
  } catch {
    return false
  }
}

/** Cameras write some pages of other facts before the size. */
const BEGINNING_BYTES = 128 * 1024
/** Of a panorama, or a scanned map: 400 MB of memory. */
const MAX_PIXELS = 100_000_000
