import ChevronLeft from 'lucide-solid/icons/chevron-left'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import Download from 'lucide-solid/icons/download'
import X from 'lucide-solid/icons/x'
import { createSignal, createUniqueId, Match, onMount, Show, Switch } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { IconButton, iconButtonClass } from '../base/button.tsx'
import { formatBytes, formatCount } from '../base/format.ts'
import { lazyPart } from '../base/lazy-part.tsx'
import { baseCopy } from '../language/english/base.ts'
import { previewCopy } from '../language/english/preview.ts'
import { ImagePreview } from './image-preview.tsx'
import { fileUrl, nameWithoutFolders, type PackedFile } from './packed-file.ts'
import styles from './preview-dialog.module.css'
import { previewKind } from './preview-kind.ts'
import { TextPreview } from './text-preview.tsx'

// Loaded with the first PDF file: its reader has more bytes than the rest of the preview.
const PdfPreview = lazyPart(async () => (await import('./pdf-preview.tsx')).PdfPreview)

export interface PreviewDialogProps {
  /** Those that can be shown, in the order of the list. */
  files: readonly PackedFile[]
  token: string
  /** The position of the first one to show. */
  start: number
  onClose: () => void
}

/**
 * Shows files of an archive, one after the other. Strangers made them, so they are only ever shown by elements that run no script:
 * images (also SVG), video, audio, the pages of a PDF as pictures, and text.
 */
export function PreviewDialog(props: PreviewDialogProps) {
  let dialog: HTMLDialogElement | undefined
  const titleId = createUniqueId()
  const [index, setIndex] = createSignal(
    Math.max(
      0,
      props.files.findIndex(({ position }) => position === props.start),
    ),
  )
  const file = () => props.files[index()]
  const move = (by: number) => setIndex((index() + by + props.files.length) % props.files.length)

  function onKeyDown(event: KeyboardEvent) {
    // A player takes the arrows for its own time, and a text for its scroll bar.
    if (event.target instanceof HTMLMediaElement || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowLeft') move(-1)
    else if (event.key === 'ArrowRight') move(1)
  }

  onMount(() => {
    // A click beside the dialog closes it.
    dialog?.setAttribute('closedby', 'any')
    dialog?.showModal()
  })
  return (
    <dialog
      ref={dialog}
      class={styles.dialog}
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      onClose={() => props.onClose()}
    >
      <Show when={file()}>
        {(file) => (
          <>
            <div class={styles.header}>
              <div class={styles.title}>
                <h2 id={titleId} class={styles.name} title={file().name}>
                  {nameWithoutFolders(file().name)}
                </h2>
                <p class={styles.details}>
                  {formatBytes(file().size)}
                  <Show when={props.files.length > 1}>
                    {' '}
                    · {previewCopy.position(formatCount(index() + 1), formatCount(props.files.length))}
                  </Show>
                </p>
              </div>
              <Show when={props.files.length > 1}>
                <IconButton label={previewCopy.previous} onClick={() => move(-1)}>
                  <ChevronLeft size={20} aria-hidden="true" />
                </IconButton>
                <IconButton label={previewCopy.next} onClick={() => move(1)}>
                  <ChevronRight size={20} aria-hidden="true" />
                </IconButton>
              </Show>
              <a
                class={iconButtonClass}
                href={fileUrl(props.token, file().position)}
                download=""
                aria-label={previewCopy.download(nameWithoutFolders(file().name))}
                title={previewCopy.download(nameWithoutFolders(file().name))}
              >
                <Download size={20} aria-hidden="true" />
              </a>
              <IconButton label={baseCopy.close} onClick={() => dialog?.close()}>
                <X size={20} aria-hidden="true" />
              </IconButton>
            </div>
            <div class={styles.content}>
              {/* Another element for each file, so that none shows or plays what was before it. */}
              <Show when={file()} keyed>
                {(file) => <FileContent file={file} token={props.token} />}
              </Show>
            </div>
          </>
        )}
      </Show>
    </dialog>
  )
}

function FileContent(props: { file: PackedFile; token: string }) {
  const [isBroken, setBroken] = createSignal(false)
  const url = () => fileUrl(props.token, props.file.position)
  const kind = () => previewKind(props.file.name)
  const player = () => PLAYERS.find((player) => player === kind())
  const fail = () => setBroken(true)
  return (
    <Switch fallback={<p class={styles.none}>{previewCopy.notShown}</p>}>
      <Match when={!isBroken() && kind() === 'image'}>
        <ImagePreview
          url={url()}
          name={nameWithoutFolders(props.file.name)}
          class={styles.image}
          onError={fail}
        />
      </Match>
      <Match when={!isBroken() && player()}>
        {(player) => (
          <Dynamic
            component={player()}
            class={styles[player()]}
            src={url()}
            controls
            preload="metadata"
            onError={fail}
          />
        )}
      </Match>
      <Match when={!isBroken() && kind() === 'pdf'}>
        <PdfPreview url={url()} onError={fail} />
      </Match>
      <Match when={!isBroken() && kind() === 'text'}>
        <TextPreview url={url()} onError={fail} />
      </Match>
    </Switch>
  )
}

/** The elements that play a file. They are named after what they play. */
const PLAYERS = ['video', 'audio'] as const
