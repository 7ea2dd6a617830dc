import { numbers } from './built-zip.ts'

/**
 * Writes a ZIP file with one empty file, and a directory that lists it again and again under other names.
 * @param nameOf of the entry with this number
 * @param bodyBytes how long the directory says that each file is
 */
export async function buildDirectory(
  path: string,
  count: number,
  nameOf: (number: number) => string,
  bodyBytes = 0,
): Promise<void> {
  const file = Bun.file(path).writer()
  const local = numbers([0x04034b50, 4], [20, 2], [0, 8], [0, 8], [0, 4], [0, 4])
  file.write(local)
  let directoryBytes = 0
  for (let number = 0; number < count; number++) {
    const name = Buffer.from(nameOf(number))
    const fields = numbers(
      [0x02014b50, 4],
      [20, 2],
      [20, 2],
      [0, 8],
      [bodyBytes === 0 ? 0 : number, 4],
      [bodyBytes, 4],
      [bodyBytes, 4],
      [name.length, 2],
    )
    file.write(Buffer.concat([fields, AFTER_LENGTH_OF_NAME, name]))
    directoryBytes += fields.length + AFTER_LENGTH_OF_NAME.length + name.length
    if (number % FLUSHED_ENTRIES === 0) await file.flush()
  }
  const endOffset = local.length + directoryBytes
  file.write(
    Buffer.concat([
      numbers([0x06064b50, 4], [44, 8], [45, 2], [45, 2], [0, 8], [count, 8], [count, 8]),
      numbers([directoryBytes, 8], [local.length, 8]),
      numbers([0x07064b50, 4], [0, 4], [endOffset, 8], [1, 4]),
      numbers(
        [0x06054b50, 4],
        [0, 4],
        [0xffff, 2],
        [0xffff, 2],
        [directoryBytes, 4],
        [local.length, 4],
        [0, 2],
      ),
    ]),
  )
  await file.end()
}

const AFTER_LENGTH_OF_NAME = new Uint8Array(16)
/** Some megabytes of the longest names. */
const FLUSHED_ENTRIES = 64
