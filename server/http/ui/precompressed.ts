import { existsSync } from 'node:fs'
import { qualityValues } from './quality-values.ts'

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
