/** A table of links: what stands in which column. A column of -1 is not there. */
export interface LineFormat {
  readonly separator: ',' | ';' | '\t'
  /** The line that names the columns, or -1. */
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
 * The columns of a text that is a table, null for a plain list. A table has a first line that names a column of
 * links, or is at least two lines of one link, one bare comma and a name: a comma alone may belong to a URL.
 */
export function lineFormatOf(lines: readonly string[]): LineFormat | null {
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
  return isPairs(lines)
    ? { separator: ',', headerLine: -1, urlColumn: 0, nameColumn: 1, folderColumn: -1 }
    : null
}

const PAIR = /^\s*"?https?:\/\/[^,\s]+,(?!\s*https?:)(?:"[^"]+"|[^,"]+)\s*$/i

function isPairs(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '')
  return filled.length > 1 && filled.every((line) => PAIR.test(line))
}

/** The fields of a line of CSV; a field in quotes may hold the separator, and quotes by doubling them (RFC 4180). */
export function splitFields(line: string, separator: string): string[] {
  const fields: string[] = []
  let field = ''
  let quoted = false
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? ''
    if (character === '"' && quoted && line[at + 1] === '"') {
      field += '"'
      at += 1
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
