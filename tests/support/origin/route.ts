import type { Reply } from './http-server.ts'
import type { OriginRequest } from './read-requests.ts'

/**
 * One behaviour of a source.
 * @param count the number of requests for this URL so far, including this one
 * @param rest the path after its first segment, decoded
 */
export type Route = (request: OriginRequest, count: number, rest: string) => Reply | Promise<Reply>
