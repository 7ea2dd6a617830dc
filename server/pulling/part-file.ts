import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { filePieces } from '../archive/reading/local-archive.ts'
import type { ArchiveReader } from '../archive/reading/reader.ts'
import { renameDurably, replaceFile } from '../files/durable.ts'
import { freeBytes, KEPT_FREE_BYTES } from '../files/free-space.ts'
import { openFile } from '../files/open-file.ts'
import { parseJson } from '../text/parse-json.ts'
import { ByteRanges } from './byte-ranges.ts'

/** Which file at which link the bytes are from. */
export interface FileAtLink {
  /** SHA-256 of the link, which is a secret itself. */
  readonly linkDigest: string
  /** Strong. Null if the server gives none: then nothing can be continued. */
  readonly etag: string | null
  /** Null while it is not known. */
  readonly totalBytes: number | null
}

/** Thrown before a write that the disk has no room for. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/**
 * The file that an archive is downloaded to, `FILE.part`, and which bytes of it are there, in `FILE.part.json`. Disposing of it closes the
 * file and keeps both.
 */
export class PartFile implements ArchiveReader, Disposable {
  readonly #path: string
  readonly #fd: number
  #version: FileAtLink | null
  #ranges: ByteRanges
  #savedMs = performance.now()
  #uncheckedBytes = Number.POSITIVE_INFINITY

  constructor(output: string) {
    this.#path = `${output}.part`
    this.#fd = openFile(this.#path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW)
    const state = readState(this.#statePath)
    this.#version = state?.version ?? null
    // What is said of a file that was deleted or cut off meanwhile is true of none of its bytes.
    const isOfFile = (state?.ranges ?? []).every(({ end }) => end <= fstatSync(this.#fd).size)
    this.#ranges = new ByteRanges(isOfFile ? state?.ranges : [])
  }

  get ranges(): ByteRanges {
    return this.#ranges
  }

  /** Keeps what is there of this version; of any other one, nothing. */
  begin(version: FileAtLink): void {
    const known = this.#version
    const isSame =
      known !== null &&
      version.etag !== null &&
      known.etag === version.etag &&
      known.linkDigest === version.linkDigest &&
      (known.totalBytes ?? version.totalBytes) === version.totalBytes
    this.#version = version
    if (!isSame) {
      this.#ranges = new ByteRanges()
      ftruncateSync(this.#fd, 0)
    }
    this.save()
    if (version.totalBytes !== null) this.#assertRoom(version.totalBytes - this.#ranges.bytes)
  }

  /**
   * Writes bytes that are from the server, or known to be the same. The caller keeps their memory.
   * @throws NoRoom when less than the disk's reserve would remain: a server may send without end
   */
  write(bytes: Uint8Array, offset: number): void {
    this.#uncheckedBytes += bytes.length
    if (this.#uncheckedBytes >= CHECK_BYTES) this.#assertRoom(CHECK_BYTES)
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#fd, bytes, done, bytes.length - done, offset + done)
    this.#ranges.add(offset, offset + bytes.length)
    if (performance.now() - this.#savedMs >= SAVE_MS) this.save()
  }

  pieces(offset: number, lengthBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    return filePieces(this.#fd, offset, lengthBytes)
  }

  /** Bytes first, then what is said of them. */
  save(): void {
    fdatasyncSync(this.#fd)
    const state: State = { version: this.#version, ranges: this.#ranges.all }
    replaceFile(this.#statePath, JSON.stringify(state))
    this.#savedMs = performance.now()
  }

  /** Makes it the file itself, with exactly so many bytes. */
  finish(output: string, totalBytes: number): void {
    ftruncateSync(this.#fd, totalBytes)
    fdatasyncSync(this.#fd)
    renameDurably(this.#path, output)
    rmSync(this.#statePath, { force: true })
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }

  #assertRoom(bytes: number): void {
    if (freeBytes(dirname(this.#path)) < bytes + KEPT_FREE_BYTES.fetching)
      throw new NoRoom('the disk is nearly full')
    this.#uncheckedBytes = 0
  }

  get #statePath(): string {
    return `${this.#path}.json`
  }
}

const SAVE_MS = 1000
/** Free space is looked for each time that so much was written: far less than the reserve. */
const CHECK_BYTES = 4 * 1024 * 1024

const size = z.number().check(z.int(), z.nonnegative())
const stateSchema = z.object({
  version: z.nullable(
    z.object({ linkDigest: z.string(), etag: z.nullable(z.string()), totalBytes: z.nullable(size) }),
  ),
  ranges: z.array(z.object({ start: size, end: size })),
})
type State =
  | Readonly<z.infer<typeof stateSchema>>
  | { readonly version: FileAtLink | null; readonly ranges: ByteRanges['all'] }

/** Null if there is none, or it is damaged: then the download starts over. */
function readState(path: string): z.infer<typeof stateSchema> | null {
  try {
    return stateSchema.safeParse(parseJson(readFileSync(path, 'utf8'))).data ?? null
  } catch {
    return null
  }
}
