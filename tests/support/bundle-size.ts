import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

/** So that the first screen comes within seconds on a slow line. */
export const MAX_INITIAL_SCRIPT_BYTES = 90_000

/** The scripts that a page loads before it shows anything, by their paths: what it runs and what it preloads. */
export function initialScripts(html: string): string[] {
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*>/g)].map(([tag]) => tag)
  return tags.flatMap((tag) => {
    const isScript = tag.startsWith('<script') || /\brel="modulepreload"/.test(tag)
    const path = /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1]
    return isScript && path !== undefined ? [path] : []
  })
}

/** What these scripts of a built UI weigh on the wire, gzipped. */
export async function gzippedBytes(uiDir: string, paths: readonly string[]): Promise<number> {
  const sizes = paths.map(
    async (path) => gzipSync(await Bun.file(join(uiDir, path)).bytes(), { level: 9 }).length,
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Files of a built UI whose compressed forms hold something else than they do. */
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
