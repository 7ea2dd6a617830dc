import { createResource, onCleanup, Show } from 'solid-js'
import { decodeText } from '../../../server/text/decode-text.ts'
import { previewCopy } from '../language/english/preview.ts'
import { readBeginning } from './read-beginning.ts'
import styles from './text-preview.module.css'

/** The beginning of a text file, as text: also of a page, whose source this shows. */
export function TextPreview(props: { url: string; onError: () => void }) {
  const lifetime = new AbortController()
  onCleanup(() => lifetime.abort())
  const [text] = createResource(
    () => props.url,
    async (url) => {
      try {
        return await beginningOf(url, lifetime.signal)
      } catch {
        if (!lifetime.signal.aborted) props.onError()
        return undefined
      }
    },
  )
  return (
    <Show when={text()}>
      {(text) => (
        // Focusable, so that it can be scrolled by keyboard.
        <section class={styles.box} tabindex="0" aria-label={previewCopy.text}>
          <pre class={styles.text}>{text().text}</pre>
          <Show when={text().isCut}>
            <p class={styles.more}>{previewCopy.textIsCut}</p>
          </Show>
        </section>
      )}
    </Show>
  )
}

async function beginningOf(url: string, signal: AbortSignal): Promise<{ text: string; isCut: boolean }> {
  const { bytes, isCut } = await readBeginning(url, MAX_TEXT_BYTES, signal)
  return { text: decodeText(isCut ? wholeCharacters(bytes) : bytes), isCut }
}

/** Without the first bytes of a character of UTF-8 at the end, which would make the text look like another encoding. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 4; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back)
  }
  return bytes
}

/** More would not be read here. */
const MAX_TEXT_BYTES = 256 * 1024
