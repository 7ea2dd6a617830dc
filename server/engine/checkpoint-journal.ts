import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { writeDurably } from '../files/durable.ts'
import { applyChanges } from './apply-changes.ts'
import type { Checkpoint, CheckpointChange } from './checkpoint.ts'
import { areSpacesDistinct } from './held-entries.ts'
import type { Source } from './job-order.ts'
import { changesSchema, journalHeadSchema } from './journal-schema.ts'

/**
 * A checkpoint without a database: a file of JSON lines beside the archive. The first line names the list that it
 * belongs to, each other one is a batch of changes. A running job only appends; a line that a crash cut short is as
 * if it had not been written.
 */
export class CheckpointJournal implements Disposable {
  /** What an earlier run of the same list has left; nothing if there was none. */
  readonly checkpoint: Checkpoint
  readonly #path: string
  readonly #list: string
  readonly #sourceCount: number
  readonly #fd: number

  constructor(path: string, sources: readonly Source[]) {
    this.#path = path
    this.#list = listDigest(sources)
    this.#sourceCount = sources.length
    this.checkpoint = this.kept()
    // Written anew, so that what was superseded doesn't pile up from run to run.
    const head = JSON.stringify({ journal: JOURNAL_VERSION, list: this.#list })
    const text = `${head}\n${JSON.stringify(allOf(this.checkpoint))}\n`
    writeDurably(path, text)
    this.#fd = openSync(path, 'a')
  }

  append(changes: readonly CheckpointChange[], durable: boolean): void {
    writeSync(this.#fd, `${JSON.stringify(changes)}\n`)
    if (durable) fdatasyncSync(this.#fd)
  }

  /** What a later run of the same list would go on from, as the file says it now. */
  kept(): Checkpoint {
    return readJournal(this.#path, this.#list, this.#sourceCount)
  }

  /** There is nothing to go on with: the archive is whole, or nothing of it is kept. */
  remove(): void {
    rmSync(this.#path, { force: true })
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }
}

const JOURNAL_VERSION = 1
const NOTHING: Checkpoint = { entries: [], slide: null }

function readJournal(path: string, list: string, sourceCount: number): Checkpoint {
  // A pipe that somebody has laid there would be read for ever.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return NOTHING
  const [head = '', ...lines] = readFileSync(path, 'utf8').split('\n')
  const known = journalHeadSchema.safeParse(parseLine(head))
  if (!known.success || known.data.journal !== JOURNAL_VERSION || known.data.list !== list) return NOTHING
  const changes: CheckpointChange[] = []
  for (const line of lines) {
    const batch = changesSchema.safeParse(parseLine(line))
    // Past a line that can't be read the order is lost, so what follows it doesn't count.
    if (!batch.success) break
    changes.push(...batch.data)
  }
  const { entries, slide } = applyChanges(NOTHING, changes)
  // Whoever gives the command again wants what failed to be tried again.
  const checkpoint = { entries: entries.filter(({ status }) => status !== 'failed'), slide }
  const isOfList = checkpoint.entries.every(({ position }) => position < sourceCount)
  return isOfList && areSpacesDistinct(checkpoint) ? checkpoint : NOTHING
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function allOf({ entries, slide }: Checkpoint): CheckpointChange[] {
  const puts = entries.map((entry): CheckpointChange => ({ kind: 'put', entry }))
  return slide === null ? puts : [...puts, { kind: 'slide', slide }]
}

function listDigest(sources: readonly Source[]): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(sources)).digest('hex')
}
