/** The format of pasted text that is a table of links. A column of -1 doesn't exist. */
export interface TableFormat {
  readonly separator: ',' | ';' | '\t'
  /** The index of the header line, or -1 if there is none. */
  readonly headerLine: number
  readonly urlColumn: number
  readonly nameColumn: number
  readonly folderColumn: number
}

const SEPARATORS = [',', ';', '\t'] as const
const URL_NAMES = ['url', 'urls', 'link', 'links', 'address', 'source']
const FILE_NAMES = ['filename', 'file name', 'file_name', 'file', 'name', 'path']
const FOLDER_NAMES = ['folder', 'directory', 'dir']

/**
 * Detects whether text is a table, and its columns; returns null for a plain list. Text is a table if its first line
 * names a column of links, or if it has at least two lines and all of them consist of a link, a comma and a name. A
 * single such line is no table, because the comma may be part of the URL.
 */
export function detectTable(lines: readonly string[]): TableFormat | null {
  const headerLine = lines.findIndex((line) => line.trim() !== '')
  const first = lines[headerLine]
  if (first === undefined) return null
  for (const separator of SEPARATORS) {
    const columns = splitFields(first, separator).map((field) => field.trim().toLowerCase())
    const urlColumn = columns.findIndex((column) => URL_NAMES.includes(column))
    if (urlColumn === -1) continue
    const nameColumn = columns.findIndex((column) => FILE_NAMES.includes(column))
    const folderColumn = columns.findIndex((column) => FOLDER_NAMES.includes(column))
    return { separator, headerLine, urlColumn, nameColumn, folderColumn }
  }
  return areAllPairs(lines)
    ? { separator: ',', headerLine: -1, urlColumn: 0, nameColumn: 1, folderColumn: -1 }
    : null
}

/** A link, a comma and a name. */
const PAIR = /^\s*"?https?:\/\/[^,\s]+,(?!\s*https?:)(?:"[^"]+"|[^,"]+)\s*$/i

function areAllPairs(lines: readonly string[]): boolean {
  const nonEmpty = lines.filter((line) => line.trim() !== '')
  return nonEmpty.length > 1 && nonEmpty.every((line) => PAIR.test(line))
}

/** Splits a line of CSV into fields. A quoted field may contain the separator, and doubled quotes (RFC 4180). */
export function splitFields(line: string, separator: string): string[] {
  const fields: string[] = []
  let field = ''
  let quoted = false
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? ''
    if (character === '"' && quoted && line[index + 1] === '"') {
      field += '"'
      index += 1
    } else if (character === '"' && (quoted || field.trim() === '')) {
      quoted = !quoted
    } else if (character === separator && !quoted) {
      fields.push(field)
      field = ''
    } else {
      field += character
    }
  }
  return [...fields, field]
}
