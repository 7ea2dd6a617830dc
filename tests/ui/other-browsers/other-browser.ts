import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A running browser with one page, in the steps of the journeys. Disposing of it ends it and deletes its downloads. */
export interface OtherBrowser extends AsyncDisposable {
  open(url: string): Promise<void>
  /** Makes the page forget who has signed in. */
  forgetUser(): Promise<void>
  /** Waits for the link with this name. @returns where it leads */
  targetOf(link: string): Promise<string>
  /** Waits for the element with this role and name. */
  untilShown(role: Role, name: string): Promise<void>
  /** Waits for the element with this role and name, and clicks it. */
  click(role: Role, name: string): Promise<void>
  /** Types where the focus is. A line break presses Enter. */
  type(text: string): Promise<void>
  pressCtrlEnter(): Promise<void>
  /** Pastes while nothing has the focus. */
  paste(text: string): Promise<void>
  /** Waits until a download is on the disk. @returns its path */
  downloaded(): Promise<string>
}

export type Role = 'button' | 'link' | 'textbox'

/** Waits until the only file in `directory` is a whole download. @returns its path */
export async function downloadedTo(directory: string): Promise<string> {
  const deadline = performance.now() + TIMEOUT_MS
  for (let before = ''; ; ) {
    const files = readdirSync(directory).map((name) => {
      const path = join(directory, name)
      // The browser may rename or delete the file just now.
      return { path, sizeBytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 }
    })
    const seen = JSON.stringify(files)
    const [file] = files
    // Until a download is whole, its file is empty, and its bytes are in a second file, or in one with another ending. Firefox
    // gives it another name for a moment before it gets its own.
    const isWhole = file?.path.endsWith('.zip') && files.length === 1 && file.sizeBytes > 0
    if (file !== undefined && isWhole && seen === before) return file.path
    if (performance.now() > deadline) throw new Error(`The browser has saved only ${seen}.`)
    before = seen
    await Bun.sleep(POLL_MS)
  }
}

/** The browser, the service and the sources share one machine, which may also be busy with other work. */
export const TIMEOUT_MS = 90_000
const POLL_MS = 100
