import { Show } from 'solid-js'
import { CopyButton } from '../base/copy-button.tsx'
import { createMediaQuery } from '../base/media-query.ts'
import { Snippet } from '../base/snippet.tsx'

/** A curl command that downloads the archive. If it is interrupted, running it again resumes the download. */
export function CurlCommand(props: { url: string; filename: string }) {
  const isNarrow = createMediaQuery('(width < 40rem)')
  const command = () =>
    `curl --fail --continue-at - --output ${shellQuote(props.filename)} ${shellQuote(props.url)}`
  return (
    <Show
      when={isNarrow()}
      fallback={<Snippet label="In a terminal" text={command()} copyLabel="Copy command" isCompact />}
    >
      <CopyButton variant="ghost" label="Copy command" text={command} />
    </Show>
  )
}

/** Quotes text for a shell. Within single quotes only the single quote itself needs escaping. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
