import { type Page, startSite } from './site.ts'

/** A web server on this machine with the given files, by name. */
export interface FileSource extends AsyncDisposable {
  /** The URLs of the files, in their order. */
  readonly urls: readonly string[]
}

export function startFileSource(files: Readonly<Record<string, Page>>): FileSource {
  const pages = Object.entries(files).map(([name, file]) => [`/${encodeURIComponent(name)}`, file] as const)
  const site = startSite(Object.fromEntries(pages))
  return {
    urls: pages.map(([path]) => site.url(path)),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}
