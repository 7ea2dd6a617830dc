import { createSignal, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { fileKind } from '../base/file-kind.ts'
import kindColours from '../base/kind-colours.module.css'
import { KIND_ICONS } from '../base/kind-icon.ts'
import { fileUrl, type PackedFile } from './packed-file.ts'
import { previewKind } from './preview-kind.ts'
import styles from './thumbnail.module.css'

/** A small picture of a file: of what an image shows, and of the kind of all others. */
export function Thumbnail(props: { file: PackedFile; token: string }) {
  const [isBroken, setBroken] = createSignal(false)
  const kind = () => fileKind(props.file.name)
  const hasPicture = () =>
    previewKind(props.file.name) === 'image' &&
    props.file.size > 0 &&
    props.file.size <= MAX_THUMBNAIL_BYTES &&
    !isBroken()
  return (
    <span class={`${styles.thumbnail} ${kindColours.kind}`} data-kind={kind()} aria-hidden="true">
      <Show
        when={hasPicture()}
        fallback={<Dynamic component={KIND_ICONS[kind()]} size={18} aria-hidden="true" />}
      >
        <img
          class={styles.image}
          src={fileUrl(props.token, props.file.position)}
          alt=""
          width="40"
          height="40"
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
        />
      </Show>
    </span>
  )
}

/** The whole image is loaded, and a screen shows some ten of them, perhaps over a mobile network. */
const MAX_THUMBNAIL_BYTES = 1_000_000
