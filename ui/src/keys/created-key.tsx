import type { NewApiKey } from '../api/types.ts'
import { ShownOnce } from '../base/shown-once.tsx'
import { Snippet } from '../base/snippet.tsx'
import { keysCopy } from '../language/english/keys.ts'

/** A key that was just created, with its secret. */
export function CreatedKey(props: { created: NewApiKey; onDone: () => void }) {
  return (
    <ShownOnce
      id="new-key"
      title={keysCopy.created.title(props.created.name)}
      lead={keysCopy.created.lead}
      onDone={() => props.onDone()}
    >
      <Snippet
        label={keysCopy.created.key}
        text={props.created.key}
        copyLabel={keysCopy.created.copyKey}
        variant="primary"
      />
      <Snippet
        label={keysCopy.created.tryIt}
        text={curlCommand(props.created.key)}
        copyLabel={keysCopy.created.copyCommand}
      />
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
