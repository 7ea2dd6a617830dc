/** A file in a finished archive. */
export interface PackedFile {
  /** That of its link. */
  readonly position: number
  /** With its folders. */
  readonly name: string
  readonly size: number
}

/** Where the service gives out a file of the archive that a token opens: never as a page of its own origin. */
export function fileUrl(token: string, position: number): string {
  return `/download/${token}/entries/${position}`
}

/** The token of a link to an archive or to its page. */
export function tokenOfLink(link: string): string {
  return new URL(link).pathname.split('/').at(-1) ?? ''
}

export function nameWithoutFolders(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
