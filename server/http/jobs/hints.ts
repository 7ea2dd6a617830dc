import type { Issue } from '../../errors.ts'
import { isObject } from '../../text/parse-json.ts'

/** The fields of a job, and of each item of `files`. */
export interface KnownFields {
  readonly job: readonly string[]
  readonly file: readonly string[]
}

/**
 * Fields of a request for a job that are ignored, although they look like known ones: in another spelling, or in the wrong place.
 * Each name is told once for all files.
 */
export function findHints(body: unknown, known: KnownFields): Issue[] {
  if (!isObject(body)) return []
  const hints = Object.keys(body).flatMap((field) =>
    hintFor(field, field, known.job, known.file, 'inside files'),
  )
  const told = new Set<string>(known.file)
  const files = Array.isArray(body.files) ? body.files : []
  for (const [index, file] of files.entries()) {
    if (!isObject(file)) continue
    for (const field of Object.keys(file)) {
      if (told.has(field)) continue
      told.add(field)
      hints.push(...hintFor(`files.${index}.${field}`, field, known.file, known.job, 'beside files'))
    }
    if (hints.length >= MAX_HINTS || told.size >= MAX_NAMES) break
  }
  return hints.slice(0, MAX_HINTS)
}

function hintFor(
  path: string,
  field: string,
  here: readonly string[],
  elsewhere: readonly string[],
  otherPlace: string,
): Issue[] {
  if (here.includes(field)) return []
  const plain = plainName(field)
  const isLike = (name: string) => plainName(name) === plain
  const meant = here.find(isLike)
  if (meant !== undefined) return [{ path, message: `is ignored. Did you mean ${meant}?` }]
  const misplaced = elsewhere.find(isLike)
  if (misplaced !== undefined)
    return [{ path, message: `is ignored here: ${misplaced} belongs ${otherPlace}.` }]
  return EXPECTED.some(isLike) ? [{ path, message: 'is ignored: there is no such field.' }] : []
}

/** Without case, hyphens and underscores. */
function plainName(field: string): string {
  return field.length > MAX_NAME_CHARACTERS ? field : field.toLowerCase().replace(/[-_\s]/g, '')
}

/** What people would not expect to be ignored, even where no field is like it. */
const EXPECTED = ['headers', 'cookies', 'sha256', 'method']

const MAX_HINTS = 20
const MAX_NAMES = 200
const MAX_NAME_CHARACTERS = 64
