import { type UrlProblem, urlProblem } from '../../links/link.ts'

/** A failed link with its present URL, which may have been corrected before. */
export interface FailedLink {
  readonly position: number
  readonly url: string
}

/** One of many changes, which are previewed before they are made. */
export interface BulkChange {
  readonly position: number
  readonly from: string
  readonly to: string
  /** Why the new URL can't be fetched, so that the link stays as it is; null if it can. */
  readonly problem: UrlProblem | null
}

/** Replaces a text in all links that contain it. Upper and lower case differ, as they do in URLs. */
export function replaceText(
  links: readonly FailedLink[],
  search: string,
  replacement: string,
): readonly BulkChange[] {
  if (search === '') return []
  return changesOf(links, ({ url }) => url.split(search).join(replacement))
}

/** The lines of a pasted column, without those at its end that are empty. */
export function linesOf(column: string): readonly string[] {
  const lines = column.split(/\r\n|\r|\n/).map(lastCell)
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}

/** Gives each link the line in its place. An empty line leaves its link as it is, and so does a missing one. */
export function replaceByLines(
  links: readonly FailedLink[],
  lines: readonly string[],
): readonly BulkChange[] {
  return changesOf(links, ({ url }, index) => lines[index] || url)
}

/** If somebody copied a column next to it as well, the last one has the new URLs. */
function lastCell(line: string): string {
  const cells = line.split('\t').map((cell) => cell.trim())
  return cells.findLast((cell) => cell !== '') ?? ''
}

function changesOf(
  links: readonly FailedLink[],
  newUrl: (link: FailedLink, index: number) => string,
): readonly BulkChange[] {
  return links.flatMap((link, index) => {
    const to = newUrl(link, index)
    return to === link.url ? [] : [{ position: link.position, from: link.url, to, problem: urlProblem(to) }]
  })
}

/** Splits a new text into the part that differs from the old one, and what stands before and after it. */
export function changedPart(from: string, to: string): readonly [string, string, string] {
  const shorter = Math.min(from.length, to.length)
  let start = 0
  while (start < shorter && from[start] === to[start]) start += 1
  let end = 0
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end += 1
  return [to.slice(0, start), to.slice(start, to.length - end), to.slice(to.length - end)]
}
