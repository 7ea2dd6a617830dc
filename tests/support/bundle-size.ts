import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

/** Keeps the first screen within seconds on a slow connection. */
export const MAX_INITIAL_SCRIPT_BYTES = 90_000
/** Of scripts and styles: with its HTML and two answers of the service, the first load for a receiver stays below 40 kB. */
export const MAX_SHARE_PAGE_BYTES = 37_000

/**
 * The paths of the scripts that a page loads before it shows anything: those that it runs and those that it preloads.
 */
export function initialScripts(html: string): string[] {
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*>/g)].map(([tag]) => tag)
  return tags.flatMap((tag) => {
    const isScript = tag.startsWith('<script') || /\brel="modulepreload"/.test(tag)
    const path = /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1]
    return isScript && path !== undefined ? [path] : []
  })
}

/** The paths of the style sheets that a page waits for. */
export function styleSheets(html: string): string[] {
  return [...html.matchAll(/<link\b[^>]*\brel="stylesheet"[^>]*>/g)].flatMap(([tag]) => {
    const path = /\bhref="([^"]+)"/.exec(tag)?.[1]
    return path === undefined ? [] : [path]
  })
}

/** The size of these files of a built UI in a response, gzipped. */
export async function gzippedBytes(uiDir: string, paths: readonly string[]): Promise<number> {
  const sizes = paths.map(
    async (path) => gzipSync(await Bun.file(join(uiDir, path)).bytes(), { level: 9 }).length,
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** The compressed copies in a built UI whose content differs from their file. */
export async function staleCompressions(uiDir: string): Promise<string[]> {
  const stale: string[] = []
  for (const name of new Bun.Glob('assets/*.{br,gz}').scanSync(uiDir)) {
    const bytes = await Bun.file(join(uiDir, name)).bytes()
    const plain = await Bun.file(join(uiDir, name.replace(/\.(?:br|gz)$/, ''))).bytes()
    const decompressed = name.endsWith('.br') ? brotliDecompressSync(bytes) : gunzipSync(bytes)
    if (!decompressed.equals(plain)) stale.push(name)
  }
  return stale
}
