import { Snippet } from '../base/snippet.tsx'

/** The same download for a terminal; run again, it goes on where it was cut off. */
export function CurlLine(props: { url: string; filename: string }) {
  return (
    <Snippet
      label="Or from a terminal"
      text={`curl --fail --continue-at - --output ${quoted(props.filename)} ${quoted(props.url)}`}
      copyLabel="Copy command"
    />
  )
}

/** In single quotes a shell takes everything as it is, but for a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
