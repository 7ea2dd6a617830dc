import { ArchiveFile } from '../../server/archive/archive-file.ts'
import type { CheckpointChange, CheckpointCommit } from '../../server/engine/checkpoint.ts'

/** What reached the operating system, in order: a loss of power keeps some of it, by rules. */
export type DiskEvent =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Uint8Array }
  /** A sync that is over; it covers the writes before event number `begunAt`. */
  | { readonly kind: 'sync'; readonly begunAt: number }
  | { readonly kind: 'truncate'; readonly lengthBytes: number }
  /** The archive has its final name. */
  | { readonly kind: 'rename' }
  | { readonly kind: 'commit'; readonly changes: readonly CheckpointChange[]; readonly durable: boolean }

/** Writes down what the archive file of a job is told while the real file is told the same. */
export interface DiskRecorder extends Disposable {
  readonly events: readonly DiskEvent[]
  commit(batch: Pick<CheckpointCommit, 'changes' | 'durable'>): void
}

export function recordDisk(): DiskRecorder {
  const events: DiskEvent[] = []
  const { write, writeAll, sync, truncate } = ArchiveFile.prototype
  ArchiveFile.prototype.write = function (bytes, position) {
    events.push({ kind: 'write', position, bytes: bytes.slice() })
    write.call(this, bytes, position)
  }
  ArchiveFile.prototype.writeAll = function (chunks, position) {
    events.push({ kind: 'write', position, bytes: new Uint8Array(Buffer.concat(chunks)) })
    writeAll.call(this, chunks, position)
  }
  ArchiveFile.prototype.sync = async function () {
    const syncing = sync.call(this)
    const begunAt = events.length
    await syncing
    events.push({ kind: 'sync', begunAt })
  }
  ArchiveFile.prototype.truncate = function () {
    truncate.call(this)
    events.push({ kind: 'truncate', lengthBytes: this.endOffset })
  }
  return {
    events,
    commit: ({ changes, durable }) => void events.push({ kind: 'commit', changes, durable }),
    [Symbol.dispose]: () => Object.assign(ArchiveFile.prototype, { write, writeAll, sync, truncate }),
  }
}
