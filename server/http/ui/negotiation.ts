import { existsSync } from 'node:fs'

/**
 * Whether a client would rather have a page than JSON, by its `Accept` (RFC 9110, section 12.5.1): browsers do when a person
 * navigates. A client that takes both equally, as curl and fetch do, is a program.
 */
export function prefersHtml(accept: string | null): boolean {
  const accepted = qualityValues(accept ?? '')
  return qualityOf('text', 'html', accepted) > qualityOf('application', 'json', accepted)
}

/** The most specific range counts. */
function qualityOf(type: string, subtype: string, accepted: ReadonlyMap<string, number>): number {
  return accepted.get(`${type}/${subtype}`) ?? accepted.get(`${type}/*`) ?? accepted.get('*/*') ?? 0
}

/** Compressed copies that the build writes next to an asset, the smallest first. */
const CODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const

export interface Precompressed {
  readonly path: string
  readonly coding: string
}

/** The smallest compressed copy that exists and that the client accepts (RFC 9110, section 12.5.3), or null. */
export function precompressed(path: string, acceptEncoding: string | null): Precompressed | null {
  const accepted = qualityValues(acceptEncoding ?? '')
  for (const { name, extension } of CODINGS) {
    const quality = accepted.get(name) ?? accepted.get('*') ?? 0
    if (quality > 0 && existsSync(path + extension)) return { path: path + extension, coding: name }
  }
  return null
}

/** The weights of a list such as that of `Accept` or `Accept-Encoding`, by its lower-case items (RFC 9110, section 12.4.2). */
export function qualityValues(list: string): Map<string, number> {
  const items = list.toLowerCase().split(',')
  return new Map(
    items.map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
}
