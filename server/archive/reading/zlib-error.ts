/** Whether bytes could not be decompressed: they are not valid DEFLATE, or more than `maxOutputLength` came out of them. */
export function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_|^ERR_BUFFER_TOO_LARGE$/.test(String(error.code))
}
