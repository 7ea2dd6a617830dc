import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { applyChanges } from '../../../engine/checkpoint/apply-changes.ts'
import type { Checkpoint } from '../../../engine/checkpoint/checkpoint.ts'
import { areSpacesDistinct } from '../../../engine/checkpoint/spaces.ts'
import type { SourcesInMemory } from '../../../engine/job-order.ts'
import { MANIFEST_NAMES } from '../../../engine/manifest/manifest.ts'
import { writeDurably } from '../../../files/durable.ts'
import { parseJson } from '../../../text/parse-json.ts'
import { changesSchema, type JournalChange, journalHeadSchema } from './schemas.ts'

/**
 * Keeps the checkpoint of a job without a database, for the command line: a file of JSON lines next to the archive. The
 * first line identifies the list of sources, each other line is a batch of changes. A running job only appends. A line that
 * a crash cut short is ignored.
 */
export class CheckpointJournal implements Disposable {
  /** The checkpoint of an earlier run with the same list; empty if there is none. */
  readonly checkpoint: Checkpoint
  readonly #path: string
  readonly #sources: SourcesInMemory
  /** Null until the file of this run is written. */
  #fd: number | null = null
  #digest: string | null = null

  constructor(path: string, sources: SourcesInMemory) {
    this.#path = path
    this.#sources = sources
    this.checkpoint = this.kept()
    // At once, since the journal of another list says nothing about the archive from now on. A new one can wait for the first
    // changes: computing the digest of a long list costs as much time as hundreds of fetches.
    if (existsSync(path)) this.#fd = this.#begin()
  }

  append(changes: readonly JournalChange[], durable: boolean): void {
    this.#fd ??= this.#begin()
    // Only durable changes depend on each other: they reuse or move bytes, so a crash must not cut them apart.
    const lineLength = durable ? changes.length : PART_LENGTH
    for (const part of partsOf(changes, lineLength)) writeSync(this.#fd, `${JSON.stringify(part)}\n`)
    if (durable) fdatasyncSync(this.#fd)
  }

  /** The checkpoint that a later run with the same list would resume from, as it is in the file now. */
  kept(): Checkpoint {
    // Only a regular file: if the path were a pipe, reading it would block forever.
    if (!statSync(this.#path, { throwIfNoEntry: false })?.isFile()) return NOTHING
    return readJournal(this.#path, this.#list, this.#sources.length)
  }

  /** Deletes the file, when the archive is finished or there is nothing to resume. */
  remove(): void {
    rmSync(this.#path, { force: true })
  }

  [Symbol.dispose](): void {
    if (this.#fd !== null) closeSync(this.#fd)
  }

  get #list(): string {
    this.#digest ??= listDigest(this.#sources)
    return this.#digest
  }

  /** Writes the head and the checkpoint, so that superseded changes don't accumulate from run to run. */
  #begin(): number {
    const head = JSON.stringify({ journal: JOURNAL_VERSION, list: this.#list })
    writeDurably(this.#path, `${head}\n${JSON.stringify(changesFor(this.checkpoint))}\n`)
    return openSync(this.#path, 'a')
  }
}

const JOURNAL_VERSION = 1
const NOTHING: Checkpoint = { entries: [], move: null, settledBytes: 0 }

function readJournal(path: string, list: string, sourceCount: number): Checkpoint {
  const [head = '', ...lines] = readFileSync(path, 'utf8').split('\n')
  const known = journalHeadSchema.safeParse(parseJson(head))
  if (!known.success || known.data.journal !== JOURNAL_VERSION || known.data.list !== list) return NOTHING
  const changes: JournalChange[] = []
  for (const line of lines) {
    const batch = changesSchema.safeParse(parseJson(line))
    // Changes after an unreadable line can't be applied without it.
    if (!batch.success) break
    changes.push(...batch.data)
  }
  const { entries, move } = applyChanges(NOTHING, changes)
  // Running the command again retries failed URLs.
  const unfailed = entries.flatMap((entry) => {
    if (entry.status !== 'failed') return entry
    return entry.part ?? []
  })
  const checkpoint = { ...NOTHING, entries: unfailed, move }
  const isOfList = checkpoint.entries.every(({ position }) => position < sourceCount + MANIFEST_NAMES.length)
  return isOfList && areSpacesDistinct(checkpoint) ? checkpoint : NOTHING
}

/** The changes that turn an empty checkpoint into this one. */
function changesFor({ entries, move }: Checkpoint): JournalChange[] {
  const puts = entries.map((entry): JournalChange => ({ kind: 'put', entry }))
  return move === null ? puts : [...puts, { kind: 'move', move }]
}

function listDigest(sources: SourcesInMemory): string {
  // Without the entries of a base: another base does not make another list.
  const hasher = new Bun.CryptoHasher('sha256')
  hasher.update('[')
  let separator = ''
  for (const part of partsOf(sources, PART_LENGTH)) {
    const list = part.map(({ url, filename, sha256 = null }) => ({ url, filename, sha256 }))
    hasher.update(separator + JSON.stringify(list).slice(1, -1))
    separator = ','
  }
  return hasher.update(']').digest('hex')
}

function* partsOf<T>(list: Sliceable<T>, length: number): Generator<readonly T[]> {
  for (let first = 0; first < list.length; first += length) yield list.slice(first, first + length)
}

type Sliceable<T> = { readonly length: number; slice(first: number, end: number): readonly T[] }

/** Changes or sources that become one text: some hundred kilobytes. That of all sources of a long list takes 10 MB. */
const PART_LENGTH = 1_000
