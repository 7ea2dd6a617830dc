import { uuidParams } from './request-schemas.ts'

/** A route as Elysia lists it: `/jobs/:id`. */
export interface Route {
  readonly method: string
  readonly path: string
}

/**
 * The methods that a path answers to, for `Allow` (RFC 9110, section 10.2.1); empty when it answers to none. HEAD
 * comes with GET.
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
      segment.startsWith(':') ? canBe(segment, segments[index] ?? '') : segment === segments[index],
    )
  )
}

/** Whether text can stand for a parameter: what is no UUID is no id of anything. */
function canBe(parameter: string, text: string): boolean {
  return parameter === ':id' ? uuidParams.safeParse({ id: text }).success : text !== ''
}
