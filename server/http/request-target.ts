import { ServiceError } from '../errors.ts'

/**
 * The URL that a request is for (RFC 9112, section 3.3). Throws `INVALID_REQUEST` unless its `Host` names one host
 * (section 3.2, which leaves it open for HTTP/1.0): Bun then gives a URL without an origin, and Elysia would look for
 * a route by some other part of it.
 */
export function requiredTarget(request: Request): URL {
  const host = request.headers.get('host')
  const target = host !== null && isHost(host) ? URL.parse(request.url) : null
  if (target !== null) return target
  throw new ServiceError('INVALID_REQUEST', 'The Host header must name the host of this service, once.')
}

/** `uri-host [ ":" port ]` (RFC 9110, section 7.2). Several `Host` fields come as one with commas. */
function isHost(text: string): boolean {
  return !/[\s,/?#@\\]/.test(text) && URL.canParse(`http://${text}`)
}
