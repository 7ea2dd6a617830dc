import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A running browser that saves a file, in the steps of a person whose line is bad. Disposing of it ends it and deletes its files. */
export interface SavingBrowser extends AsyncDisposable {
  /** Opens a link to a file, which the browser begins to save. */
  save(url: string): Promise<void>
  /** How much is on the disk. */
  savedBytes(): number
  /** Waits until the download has failed, and lets it go on, by what the list of downloads of the browser has for that. */
  resume(): Promise<void>
  /** Waits until the file is whole. @returns its path */
  saved(): Promise<string>
}

/** Of all files, under whatever name the browser keeps them. */
export function bytesIn(directory: string): number {
  return readdirSync(directory)
    .map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((total, bytes) => total + bytes, 0)
}
