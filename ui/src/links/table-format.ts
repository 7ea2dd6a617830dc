import { lastSegment, looksLikeFileName } from './file-name.ts'
import { findLinks } from './find-links.ts'
import { isNameLike } from './link-name.ts'
import { splitFields } from './split-fields.ts'

/** The columns of a text that is a table of links. A column of -1 doesn't exist. */
export interface TableFormat {
  readonly separator: Separator
  /** The header line; null if there is none. */
  readonly header: string | null
  readonly columnCount: number
  readonly urlColumn: number
  readonly nameColumn: number
  readonly folderColumn: number
}

/**
 * Detects whether lines are a table, and its columns; returns null for a plain list. In a table, one column holds nothing but
 * links. The name is in the column whose header says so, or whose values look like file names, or in the only other column.
 *
 * @param lines the first lines that are not blank
 */
export function detectTable(lines: readonly string[]): TableFormat | null {
  for (const separator of SEPARATORS) {
    const format = formatWith(separator, lines)
    if (format !== null) return format
  }
  return null
}

/** The fields of a row with the spaces around them, without the empty ones that the outer bars of a Markdown table make. */
export function fieldsOf(line: string, separator: Separator): string[] {
  if (separator !== '|') return splitFields(line, separator)
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
}

function trimmedFieldsOf(line: string, separator: Separator): string[] {
  return fieldsOf(line, separator).map((field) => field.trim())
}

/** The URL of a field that begins with its only link; null for any other field. */
export function urlOfField(field: string): string | null {
  const [link, ...others] = findLinks(field)
  return link !== undefined && link.start <= 1 && others.length === 0 ? link.url : null
}

function formatWith(separator: Separator, lines: readonly string[]): TableFormat | null {
  const [first = ''] = lines
  const header = LINK.test(first)
    ? null
    : trimmedFieldsOf(first, separator).map((field) => field.toLowerCase())
  const written = (header === null ? lines : lines.slice(1))
    .filter((line) => LINK.test(line))
    .map((line) => fieldsOf(line, separator))
  const rows = written.map((fields) => fields.map((field) => field.trim()))
  const urlColumn = columnOfLinks(rows)
  if (urlColumn === -1 || rows.filter(({ length }) => length > 1).length < rows.length * MIN_SHARE)
    return null
  const names = header !== null && isHeader(header, rows) ? header : null
  const found = columnOfNames(separator, rows, names, urlColumn)
  const isInUrl = names === null && separator !== '\t' && isPartOfUrl(written, urlColumn, found)
  const nameColumn = isInUrl ? -1 : found
  const saysUrl = names?.some((name) => URL_NAMES.includes(name)) ?? false
  if (nameColumn === -1 && !saysUrl) return null
  return {
    separator,
    header: names === null ? null : first,
    columnCount: (names ?? rows[0] ?? []).length,
    urlColumn,
    nameColumn,
    folderColumn: names?.findIndex((name) => FOLDER_NAMES.includes(name)) ?? -1,
  }
}

/** The column that holds a link in most rows; -1 if there is none. */
function columnOfLinks(rows: readonly string[][]): number {
  const counts = new Map<number, number>()
  for (const fields of rows) {
    const column = fields.findIndex((field) => urlOfField(field) !== null)
    if (column !== -1) counts.set(column, (counts.get(column) ?? 0) + 1)
  }
  const [column, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [-1, 0]
  return count >= rows.length * MIN_SHARE ? column : -1
}

/** A line without links is a header if it has as many short fields as the rows have. */
function isHeader(fields: readonly string[], rows: readonly string[][]): boolean {
  if (fields.length < 2) return false
  if (fields.some((field) => URL_NAMES.includes(field))) return true
  const isShort = fields.every(
    (field) => /\p{L}/u.test(field) && field.length <= MAX_HEADER_CHARACTERS && !/[.!?:]$/.test(field),
  )
  return isShort && rows.every(({ length }) => length === fields.length)
}

function columnOfNames(
  separator: Separator,
  rows: readonly string[][],
  header: readonly string[] | null,
  urlColumn: number,
): number {
  for (const known of header === null ? [] : [FILE_NAMES, TITLE_NAMES]) {
    const column = header?.findIndex((name) => known.includes(name)) ?? -1
    if (column !== -1 && column !== urlColumn) return column
  }
  const columns = (rows[0] ?? []).map((_, column) => column).filter((column) => column !== urlColumn)
  const given = (column: number) => rows.map((fields) => fields[column] ?? '').filter((field) => field !== '')
  const hasOnly = (column: number, isWanted: (field: string) => boolean) =>
    given(column).length > 0 && given(column).every(isWanted)
  const files = columns.find((column) => hasOnly(column, (field) => looksLikeFileName(field)))
  // What follows a comma or a semicolon may be a part of the URL: https://a.test/story,12.html.
  const isClear = (column: number) => header !== null || separator === '\t' || column < urlColumn
  if (files !== undefined && (rows.length > 1 || isClear(files))) return files
  const [only, ...others] = columns
  if (only === undefined || others.length > 0 || !hasOnly(only, isNameLike)) return -1
  return isClear(only) && (rows.length > 1 || header !== null) ? only : -1
}

/** Whether most fields of a column continue the URL before them, which contains the separator: `https://a.test/w_3,h_2/a.jpg`. */
function isPartOfUrl(rows: readonly string[][], urlColumn: number, column: number): boolean {
  if (column <= urlColumn) return false
  const parts = rows.filter((fields) => {
    const between = fields.slice(urlColumn + 1, column + 1)
    if (
      looksLikeFileName(lastSegment(fields[urlColumn] ?? '')) ||
      between.some((field) => /^\s|\s$/.test(field))
    )
      return false
    return between.length > 1 || /\/|\.(?:html?|php|aspx?|jsp)$/i.test(between[0] ?? '')
  })
  return parts.length > rows.length / 2
}

type Separator = (typeof SEPARATORS)[number]

const SEPARATORS = ['\t', ';', ',', '|'] as const
const LINK = /https?:\/\//i
const URL_NAMES = [
  'url',
  'urls',
  'link',
  'links',
  'address',
  'source',
  'href',
  'uri',
  'adresse',
  'lien',
  'enlace',
]
const FILE_NAMES = [
  'filename',
  'file name',
  'file_name',
  'file',
  'name',
  'path',
  'datei',
  'dateiname',
  'fichier',
  'archivo',
]
const TITLE_NAMES = [
  'title',
  'titel',
  'titre',
  'título',
  'titolo',
  'nom',
  'nombre',
  'nome',
  'naam',
  'document',
  'label',
]
const FOLDER_NAMES = ['folder', 'directory', 'dir', 'ordner', 'dossier', 'carpeta']
/** The share of rows that must fit, since a table may have a few that a person wrote differently. */
const MIN_SHARE = 0.8
const MAX_HEADER_CHARACTERS = 40
