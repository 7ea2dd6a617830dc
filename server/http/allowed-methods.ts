import { uuidParams } from './field-schemas.ts'

/** A route as Elysia lists it: `/jobs/:id`. */
export interface Route {
  readonly method: string
  readonly path: string
}

/**
 * The methods that a path allows, for the `Allow` header (RFC 9110, section 10.2.1); empty for an unknown path. GET
 * implies HEAD.
 */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
  const methods = new Set<string>()
  for (const route of routes) {
    if (!matches(route.path, path)) continue
    methods.add(route.method)
    if (route.method === 'GET') methods.add('HEAD')
  }
  return [...methods].sort()
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const segments = path.split('/')
  return (
    expected.length === segments.length &&
    expected.every((segment, index) =>
      segment.startsWith(':') ? isPossibleValue(segment, segments[index] ?? '') : segment === segments[index],
    )
  )
}

/** Ids are UUIDs; other parameters are any text. */
function isPossibleValue(parameter: string, text: string): boolean {
  return /^:(?:\w+_)?id$/.test(parameter) ? uuidParams.safeParse({ id: text }).success : text !== ''
}
