import type { ArchiveStore } from '../archive-store/archive-store.ts'
import type { KeptArchive } from './snapshot-store.ts'
import type { SourceFile } from './writer.ts'

/** An archive in the archive store, as a file to back up. Reading it throws a StoreError when the store does not send it. */
export function storedFile(
  store: ArchiveStore,
  { sizeBytes, completedAt }: KeptArchive,
  objectName: string,
): SourceFile {
  const content = store.content(objectName)
  return {
    immutablePath: null,
    open: () => ({
      sizeBytes,
      modifiedAtMs: completedAt,
      async *pieces(offset, lengthBytes, stop) {
        for await (const piece of content.pieces(offset, lengthBytes)) {
          stop.throwIfAborted()
          yield piece
        }
      },
      [Symbol.dispose]() {},
    }),
  }
}
