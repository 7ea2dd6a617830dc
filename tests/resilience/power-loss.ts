import { applyChanges } from '../../server/engine/checkpoint/apply-changes.ts'
import type { Checkpoint, CheckpointChange } from '../../server/engine/checkpoint/checkpoint.ts'
import type { DiskEvent } from './disk-recorder.ts'

/** What is left after a power loss. */
export interface Survivors {
  readonly file: Uint8Array
  /** The archive had its final name. */
  readonly isFinished: boolean
  readonly checkpoint: Checkpoint
}

/**
 * Returns one of the possible states of the disk after a power loss that follows the first `count` events. All synced
 * writes survive. Of other writes, each page survives or not, independently of all others. Commits survive in order:
 * all up to the last durable one, and a random number of later ones.
 */
export function losePower(events: readonly DiskEvent[], count: number, random: () => number): Survivors {
  const happened = events.slice(0, count)
  const syncedUpTo = happened.reduce((upTo, event) => {
    return event.kind === 'sync' ? Math.max(upTo, event.begunAt) : upTo
  }, 0)
  const file = new PagedFile()
  happened.forEach((event, index) => {
    if (event.kind === 'write') file.write(event, () => index < syncedUpTo || random() < 0.5)
    if (event.kind === 'truncate') file.truncate(event.lengthBytes)
  })
  return {
    file: file.bytes(),
    isFinished: happened.some(({ kind }) => kind === 'rename'),
    checkpoint: survivingCheckpoint(happened, random),
  }
}

function survivingCheckpoint(happened: readonly DiskEvent[], random: () => number): Checkpoint {
  const commits = happened.filter((event) => event.kind === 'commit')
  const certain = commits.findLastIndex(({ durable }) => durable) + 1
  const kept = certain + Math.floor(random() * (commits.length - certain + 1))
  const changes: CheckpointChange[] = commits.slice(0, kept).flatMap((commit) => commit.changes)
  return applyChanges({ entries: [], move: null, settledBytes: 0 }, changes)
}

/** A file whose pages survive independently. A page that did not survive has its earlier content, or zeros. */
class PagedFile {
  #bytes = new Uint8Array(1024 * 1024)
  #length = 0

  write({ position, bytes }: { position: number; bytes: Uint8Array }, survives: () => boolean): void {
    for (let at = 0; at < bytes.length; ) {
      const pageEnd = (Math.floor((position + at) / PAGE_BYTES) + 1) * PAGE_BYTES
      const end = Math.min(bytes.length, pageEnd - position)
      if (survives()) this.#put(bytes.subarray(at, end), position + at)
      at = end
    }
  }

  truncate(lengthBytes: number): void {
    this.#length = lengthBytes
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #put(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(2 * end)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes.set(bytes, position)
    this.#length = Math.max(this.#length, end)
  }
}

const PAGE_BYTES = 4096
