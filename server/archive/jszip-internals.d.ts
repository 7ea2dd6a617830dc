/** Two inner modules of JSZip 3.10.2 (pinned) that its own types leave out. */
declare module 'jszip/lib/compressedObject' {
  /** Content that `zip.file` takes over as it is; typed as the bytes that it stands for, which `file` accepts. */
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
