import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { Garbage } from '../../garbage.ts'
import { forEachSource } from '../sources/for-each-source.ts'
import { groupByHost } from '../sources/listed-source.ts'
import { loginWarning } from '../sources/login-warning.ts'
import { type InspectionEnvironment, openInspectionContext } from './context.ts'
import { PageTooLarge } from './fetch-page.ts'
import { inspectPage, NoPage } from './inspect-page.ts'
import type { InspectionOrder, InspectionOutcome, ProbeOrder, ProbeResult } from './inspection.ts'
import type { PageLink } from './link-list.ts'
import { probeSource } from './probe-source.ts'

/** Receives what was found, in batches. */
export interface InspectionListener {
  links(links: readonly PageLink[]): void
  results(results: readonly ProbeResult[]): void
}

/**
 * Runs an inspection to its end.
 * @param stop when aborted, all requests end at once
 * @throws only errors of the program itself
 */
export async function runInspection(
  order: InspectionOrder,
  environment: InspectionEnvironment,
  stop: AbortSignal,
  listener: InspectionListener,
): Promise<InspectionOutcome> {
  try {
    if (order.kind === 'probe') {
      await probe(order, environment, stop, listener)
      return { status: 'done', page: null }
    }
    using inspected = await inspectPage(order, environment, stop)
    const { links, [Symbol.dispose]: _turn, ...page } = inspected
    for (let first = 0; first < links.length; first += LINKS_PER_BATCH)
      listener.links(links.slice(first, first + LINKS_PER_BATCH))
    return { status: 'done', page }
  } catch (error) {
    if (stop.aborted) return { status: 'stopped' }
    if (error instanceof PageTooLarge) return { status: 'too-large' }
    if (error instanceof FetchFailure) {
      const why = loginWarning(error)?.message ?? proxyProblem(error)
      return { status: 'not-fetched', reason: `${error.text}.${why === null ? '' : ` ${why}`}` }
    }
    if (error instanceof NoPage) return { status: 'not-fetched', reason: error.message }
    throw error
  }
}

/** Not the fault of the page. The name of the proxy is for the log. */
function proxyProblem({ ofProxy }: FetchFailure): string | null {
  return ofProxy === null ? null : `The proxy ${ofProxy.code}.`
}

/** Asks for each source, many at once, with the same shares and limits as a job. */
async function probe(
  order: ProbeOrder,
  environment: InspectionEnvironment,
  stop: AbortSignal,
  listener: InspectionListener,
): Promise<void> {
  const broken = new AbortController()
  const signal = AbortSignal.any([stop, broken.signal])
  using context = openInspectionContext(order, environment, signal)
  let batch: ProbeResult[] = []
  const flush = () => {
    if (batch.length > 0) listener.results(batch)
    batch = []
  }
  const timer = setInterval(flush, FLUSH_MS)
  try {
    const garbage = new Garbage(
      () => MAX_INSPECTIONS,
      () => 0,
    )
    await forEachSource(await groupByHost(order.sources, signal), {
      connect: context.connections.connect,
      connectionsPerHost: environment.connecting.connectionsPerHost,
      signal,
      async pack(source, connection) {
        const result = await probeSource(context, source, connection, garbage)
        batch.push(result)
      },
      onError: (_, error) => broken.abort(error),
    })
    signal.throwIfAborted()
  } finally {
    clearInterval(timer)
  }
  flush()
}

/** How many share the memory for garbage, at most. */
const MAX_INSPECTIONS = 8

/** Each batch is a message to the main thread. */
const LINKS_PER_BATCH = 500
const FLUSH_MS = 50
