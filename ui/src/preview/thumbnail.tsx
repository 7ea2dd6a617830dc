import { createEffect, createSignal, onCleanup, onMount, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { fileKind } from '../base/file-kind.ts'
import kindColours from '../base/kind-colours.module.css'
import { KIND_ICONS } from '../base/kind-icon.ts'
import { fileUrl, type PackedFile } from './packed-file.ts'
import { isDrawing, previewKind } from './preview-kind.ts'
import styles from './thumbnail.module.css'

/** Many archives have no images. */
const loadPicture = () => import('./picture.ts')

/** A small picture of a file: of what an image shows, and of the kind of all others. */
export function Thumbnail(props: { file: PackedFile; token: string }) {
  let box: HTMLSpanElement | undefined
  const [isInView, setInView] = createSignal(false)
  const [picture, setPicture] = createSignal<HTMLCanvasElement>()
  const kind = () => fileKind(props.file.name)
  const url = () =>
    isInView() && hasPicture(props.file) ? fileUrl(props.token, props.file.position) : undefined

  onMount(() => {
    if (!box) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        setInView(true)
      },
      { rootMargin: '300px' },
    )
    observer.observe(box)
    onCleanup(() => observer.disconnect())
  })
  createEffect(() => {
    setPicture(undefined)
    const of = url()
    if (of === undefined) return
    const lifetime = new AbortController()
    onCleanup(() => lifetime.abort())
    // Without one, there is the picture of its kind.
    loadPicture()
      .then(({ pictureOf }) => pictureOf(of, SIDE_PX, lifetime.signal))
      .then(
        (painted) => lifetime.signal.aborted || setPicture(painted),
        () => {},
      )
  })
  return (
    <span ref={box} class={`${styles.thumbnail} ${kindColours.kind}`} data-kind={kind()} aria-hidden="true">
      <Show
        when={picture()}
        fallback={<Dynamic component={KIND_ICONS[kind()]} size={18} aria-hidden="true" />}
      >
        {(painted) => {
          painted().className = styles.image ?? ''
          return painted()
        }}
      </Show>
    </span>
  )
}

/** A drawing can take a browser hours to paint, and a thumbnail is painted without a click. */
function hasPicture({ name, size }: PackedFile): boolean {
  return previewKind(name) === 'image' && !isDrawing(name) && size > 0 && size <= MAX_THUMBNAIL_BYTES
}

/** The whole image is loaded, and a screen shows some ten of them, perhaps over a mobile network. */
const MAX_THUMBNAIL_BYTES = 1_000_000
/** Sharp on most screens. */
const SIDE_PX = 80
