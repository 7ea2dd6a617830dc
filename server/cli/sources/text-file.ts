import { readFileSync } from 'node:fs'
import { decodeText } from '../../text/decode-text.ts'
import { UsageError } from '../command.ts'

/**
 * Reads the text file that a flag names; `-` is standard input.
 * @throws UsageError
 */
export function readTextFile(flag: string, path: string): string {
  try {
    return decodeText(readFileSync(path === '-' ? 0 : path))
  } catch {
    throw new UsageError(`${flag}: expected a file that can be read, or - for standard input`)
  }
}
