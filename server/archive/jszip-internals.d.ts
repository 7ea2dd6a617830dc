/** Two internal modules of JSZip 3.10.2 (a pinned version) that its own types do not declare. */

declare module 'jszip/lib/stream/GenericWorker' {
  /** A part of a stream. It is paused at first. */
  export default class GenericWorker {
    /** What the headers of an entry say about its content. */
    protected streamInfo: {
      readonly compressedSize: number
      readonly uncompressedSize: number
      readonly crc32: number
      /** Its number in headers, as two characters (APPNOTE 4.4.5). */
      readonly compression: { readonly magic: string }
      readonly file: {
        readonly name: string
        readonly dir: boolean
        readonly date: Date
        readonly comment: string
      }
    }
    constructor(name: string)
    pipe<T extends GenericWorker>(next: T): T
    /** False if it was not paused, or has ended. */
    resume(): boolean
    protected push(chunk: { readonly data: Uint8Array; readonly meta: { readonly percent: number } }): void
    /** False if it has ended already. */
    protected end(): boolean
  }
}

declare module 'jszip/lib/generate/ZipFileWorker' {
  import GenericWorker from 'jszip/lib/stream/GenericWorker'

  /** Streams an archive that consists of what is piped to it. */
  export default class ZipFileWorker extends GenericWorker {
    /**
     * @param streamFiles whether sizes and CRC-32 follow the content
     * @param platform what the directory says about it
     */
    constructor(
      streamFiles: boolean,
      comment: string,
      platform: 'DOS' | 'UNIX',
      encodeFileName: (name: string) => string,
    )
    on(event: 'data', listener: (chunk: ZipChunk) => void): this
    on(event: 'error', listener: (error: unknown) => void): this
  }

  interface ZipChunk {
    /** A header as a string with one character per byte, or a content. */
    readonly data: string | Uint8Array
    /** `currentFile` is the name of the entry; null for the directory. */
    readonly meta: { readonly currentFile: string | null }
  }
}
