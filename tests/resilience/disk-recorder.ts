import { ArchiveFile } from '../../server/archive/file.ts'
import type { CheckpointChange, CheckpointCommit } from '../../server/engine/checkpoint/checkpoint.ts'

/** An operation that reached the operating system. A power loss undoes some of them; see `losePower`. */
export type DiskEvent =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Uint8Array }
  /** A completed sync. It covers the writes before the event with the index `begunAt`. */
  | { readonly kind: 'sync'; readonly begunAt: number }
  | { readonly kind: 'truncate'; readonly lengthBytes: number }
  /** The archive got its final name. */
  | { readonly kind: 'rename' }
  | { readonly kind: 'commit'; readonly changes: readonly CheckpointChange[]; readonly durable: boolean }

/** Records all operations on archive files, which are also executed, until disposed of. */
export interface DiskRecorder extends Disposable {
  readonly events: readonly DiskEvent[]
  commit(batch: Pick<CheckpointCommit, 'changes' | 'durable'>): Promise<void>
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
    async commit({ changes, durable }) {
      events.push({ kind: 'commit', changes, durable })
    },
    [Symbol.dispose]: () => Object.assign(ArchiveFile.prototype, { write, writeAll, sync, truncate }),
  }
}
