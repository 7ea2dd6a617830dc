/** Two internal modules of JSZip 3.10.2 (a pinned version) that its own types do not declare. */
declare module 'jszip/lib/compressedObject' {
  /** Compressed content that `zip.file` stores unchanged. Typed as `Uint8Array`, which the types of `file` accept. */
  const CompressedObject: new (
    compressedSize: number,
    uncompressedSize: number,
    crc32: number,
    compression: import('jszip/lib/compressions').Compression,
    compressedContent: Uint8Array,
  ) => Uint8Array
  export default CompressedObject
}

declare module 'jszip/lib/compressions' {
  export interface Compression {
    readonly magic: string
  }
  const compressions: { readonly STORE: Compression; readonly DEFLATE: Compression }
  export default compressions
}
