/** Two internal modules of JSZip 3.10.2 (a pinned version) that its own types do not declare. */

declare module 'jszip/lib/stream/GenericWorker' {
  /** A part of a stream. It is paused at first. */
  export default class GenericWorker {
    constructor(name: string)
    pipe<T extends GenericWorker>(next: T): T
    on(event: 'data', listener: (chunk: Chunk) => void): this
    on(event: 'error', listener: (error: unknown) => void): this
    /** False if it was not paused, or has ended. */
    resume(): boolean
    protected push(chunk: Chunk): void
    /** False if it has ended already. */
    protected end(): boolean
    /** Called at the end, to push what is left. */
    protected flush(): void
  }

  interface Chunk {
    readonly data: Uint8Array
    readonly meta: { readonly percent: number }
  }
}

declare module 'jszip/lib/generate/ZipFileWorker' {
  import GenericWorker from 'jszip/lib/stream/GenericWorker'

  /** Streams an archive that consists of what is piped to it, one part after the other. */
  export default class ZipFileWorker extends GenericWorker {
    /** It has parameters, but only the methods below use them. */
    constructor()
    /** Called before a part is streamed: pushes what stands before the content. */
    protected openedSource(): void
    /** Called when a part has been streamed: pushes what stands behind the content. */
    protected closedSource(): void
  }
}
