import { ServiceError } from '../errors.ts'
import { uuidParams } from './schemas.ts'

/**
 * The target URL of a request (RFC 9112, section 3.3). Throws `INVALID_REQUEST` unless `Host` names exactly one host, also
 * for HTTP/1.0, for which section 3.2 does not require it. Without a host, Bun gives a URL without an origin, and Elysia
 * would read the path from the wrong position.
 */
export function requiredTarget(request: Request): URL {
  const host = request.headers.get('host')
  const target = host !== null && isHost(host) ? URL.parse(request.url) : null
  if (target !== null) return target
  throw new ServiceError('INVALID_REQUEST', 'The Host header must name the host of this service, once.')
}

/**
 * `uri-host [ ":" port ]` (RFC 9110, section 7.2). Bun joins several `Host` fields with commas. The URL parser accepts more
 * characters, also encoded, than a host may have (RFC 3986, section 3.2.2), and others would refuse our links.
 */
export function isHost(text: string): boolean {
  const url = /[\s,/?#@\\]/.test(text) ? null : URL.parse(`http://${text}`)
  return url !== null && !/["`{}]/.test(url.hostname)
}

/** A route as Elysia lists it: `/jobs/:id`. */
export interface RoutePattern {
  readonly method: string
  readonly path: string
}

/**
 * The methods that a path allows, for the `Allow` header (RFC 9110, section 10.2.1); empty for an unknown path. GET
 * implies HEAD.
 */
export function allowedMethods(routes: readonly RoutePattern[], path: string): string[] {
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
