import recorded from './examples/calls.jsonl' with { type: 'text' }

/** A call that was made, and what the service answered. `bun run examples` records them. */
export interface ExampleCall {
  /** The id of its operation, or the code of the error that it got. */
  readonly name: string
  /** For a shell, with the address of a service on this machine and the key in `$KEY`. */
  readonly command: string
  readonly status: number
  /** JSON, or any other text. */
  readonly answer: JsonValue
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** The example calls by their names. A test makes all of them again. */
export function exampleCalls(): ReadonlyMap<string, ExampleCall> {
  const calls: ExampleCall[] = recorded
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return new Map(calls.map((call) => [call.name, call]))
}
