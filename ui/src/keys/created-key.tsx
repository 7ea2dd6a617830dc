import type { NewApiKey } from '../api/types.ts'
import { ShownOnce } from '../base/shown-once.tsx'
import { Snippet } from '../base/snippet.tsx'

/** A key that was just created, with its secret. */
export function CreatedKey(props: { created: NewApiKey; onDone: () => void }) {
  return (
    <ShownOnce
      id="new-key"
      title={`Key “${props.created.name}” created`}
      lead="Copy the key now and store it like a password. You won’t see it again."
      onDone={() => props.onDone()}
    >
      <Snippet label="Key" text={props.created.key} copyLabel="Copy key" variant="primary" />
      <Snippet label="Try it in a terminal" text={curlCommand(props.created.key)} copyLabel="Copy command" />
    </ShownOnce>
  )
}

/** Returns a command that creates an archive of one page. */
function curlCommand(key: string): string {
  return [
    `curl ${location.origin}/jobs`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"urls": ["https://example.org/"]}'`,
  ].join(' \\\n  ')
}
