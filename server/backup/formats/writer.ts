import { openForReading, type ReadableFile } from './readable-file.ts'

/** Writes the files of a backup, one after the other. Disposing of it closes what is open. */
export interface BackupWriter extends Disposable {
  /**
   * Adds a file, and returns the SHA-256 of its bytes in hex. When the file does not exist, nothing was written.
   * @throws the error of the system when it can't be read or written
   */
  add(name: string, source: SourceFile, stop: AbortSignal): Promise<string>
  /** Makes everything durable, and returns the size of the backup in bytes. */
  finish(): number
}

/** A file to add. */
export interface SourceFile {
  /** @throws the error of the system when it can't be opened */
  open(): ReadableFile
  /** Its path, if no program ever changes the file: then the backup may share it. */
  readonly immutablePath: string | null
}

/** A file on this machine. */
export function localFile(path: string, isImmutable = false): SourceFile {
  return { open: () => openForReading(path), immutablePath: isImmutable ? path : null }
}
