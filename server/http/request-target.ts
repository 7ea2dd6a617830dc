import { ServiceError } from '../errors.ts'

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

/** `uri-host [ ":" port ]` (RFC 9110, section 7.2). Bun joins several `Host` fields with commas. */
function isHost(text: string): boolean {
  return !/[\s,/?#@\\]/.test(text) && URL.canParse(`http://${text}`)
}
