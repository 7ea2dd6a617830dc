import { decodersUrl, workerUrl } from 'virtual:pdf-worker'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist'
import { createResource, For, onCleanup, onMount, Show } from 'solid-js'
import { formatCount } from '../base/format.ts'
import { previewCopy } from '../language/english/preview.ts'
import styles from './pdf-preview.module.css'

GlobalWorkerOptions.workerSrc = workerUrl

/**
 * The pages of a PDF, painted one by one as they come into view. Not in the browser's own viewer: that would need the file as a
 * document of our origin in a frame, and phones have none. Scripts and forms of the file are never run.
 */
export function PdfPreview(props: { url: string; onError: () => void }) {
  const lifetime = new AbortController()
  const [pdf] = createResource(
    () => props.url,
    async (url) => {
      try {
        return await openPdf(url, lifetime.signal)
      } catch {
        if (!lifetime.signal.aborted) props.onError()
        return undefined
      }
    },
  )
  onCleanup(() => lifetime.abort())
  return (
    <Show when={pdf()}>
      {(pdf) => (
        // Focusable, so that it can be scrolled by keyboard.
        <section class={styles.pages} tabindex="0" aria-label={previewCopy.pages}>
          <For
            each={Array.from({ length: Math.min(pdf().pdf.numPages, MAX_PAGES) }, (_, index) => index + 1)}
          >
            {(number) => <PdfPage pdf={pdf().pdf} number={number} aspect={pdf().aspect} />}
          </For>
          <Show when={pdf().pdf.numPages > MAX_PAGES}>
            <p class={styles.more}>
              {previewCopy.pagesAreCut(formatCount(MAX_PAGES), formatCount(pdf().pdf.numPages))}
            </p>
          </Show>
        </section>
      )}
    </Show>
  )
}

function PdfPage(props: { pdf: PDFDocumentProxy; number: number; aspect: number }) {
  let canvas: HTMLCanvasElement | undefined

  onMount(() => {
    if (!canvas) return
    const page = canvas
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        // A page that is damaged stays empty.
        void paint(props.pdf, props.number, page).catch(() => {})
      },
      { rootMargin: '300px' },
    )
    observer.observe(page)
    onCleanup(() => observer.disconnect())
  })
  return (
    <canvas
      ref={canvas}
      class={styles.page}
      style={{ 'aspect-ratio': props.aspect }}
      role="img"
      aria-label={previewCopy.page(formatCount(props.number))}
    />
  )
}

async function openPdf(url: string, signal: AbortSignal): Promise<{ pdf: PDFDocumentProxy; aspect: number }> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const loading = getDocument({
    data: await response.arrayBuffer(),
    enableXfa: false,
    stopAtErrors: false,
    useWasm: false,
    wasmUrl: decodersUrl,
    // What is wrong with the file of a stranger does not belong in the console of this page.
    verbosity: VerbosityLevel.ERRORS,
  })
  signal.addEventListener('abort', () => void loading.destroy())
  const pdf = await loading.promise
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
  return { pdf, aspect: width / height }
}

async function paint(pdf: PDFDocumentProxy, number: number, canvas: HTMLCanvasElement): Promise<void> {
  const page = await pdf.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  canvas.style.aspectRatio = `${width / height}`
  const wantedWidth = Math.min(canvas.clientWidth * devicePixelRatio, MAX_PAGE_PX)
  const viewport = page.getViewport({ scale: Math.min(wantedWidth / width, MAX_PAGE_PX / height) })
  canvas.width = Math.round(viewport.width)
  canvas.height = Math.round(viewport.height)
  await page.render({ canvas, viewport, annotationMode: 0 }).promise
}

/** Nobody reads more here, and each painted page stays in memory. */
const MAX_PAGES = 100
/** The longest side of a painted page: sharp on most screens, and 36 MB of memory. */
const MAX_PAGE_PX = 3_000
