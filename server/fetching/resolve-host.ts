import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { FetchFailure } from './fetch-failure.ts'

/**
 * All addresses of a host, as the system's own resolver gives them, so that its hosts file counts. An address is its
 * own answer.
 * @param hostname as `URL.hostname` gives it, an IPv6 literal in brackets
 * @throws FetchFailure `Could not resolve host`
 */
export async function resolveHost(hostname: string): Promise<string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) !== 0) return [literal]
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new FetchFailure('Could not resolve host')), RESOLVE_TIMEOUT_MS)
  try {
    const answers = await Promise.race([lookup(hostname, { all: true }), tooLate])
    return answers.map(({ address }) => address)
  } catch (error) {
    throw new FetchFailure('Could not resolve host', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** As long as a connection may take: a resolver that needs longer is no better than none. */
const RESOLVE_TIMEOUT_MS = 10_000
