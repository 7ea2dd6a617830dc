import type { FetchLimits } from '../../fetching/attempts/fetch-limits.ts'
import {
  type Connections,
  type ConnectionsEnvironment,
  openConnections,
} from '../connections/open-connections.ts'
import type { InspectionOrder } from './inspection.ts'

/** What an inspection needs from its process: connections, of which it gets the same share as a job, and turns for large pages. */
export interface InspectionEnvironment {
  readonly connecting: ConnectionsEnvironment
  readonly largePages: LargePages
}

/** Who may have a large page in memory. */
export interface LargePages {
  /**
   * Waits for a turn, which lasts until it is disposed of.
   * @param onRevoked called when the page must not arrive any longer, since others wait
   * @throws the signal's reason once it is aborted
   */
  acquire(signal: AbortSignal, onRevoked: () => void): Promise<Disposable>
}

/** What all fetches of an inspection share. */
export interface InspectionContext extends Disposable {
  readonly connections: Connections
  readonly signal: AbortSignal
  readonly largePages: LargePages
}

/** @param signal ends all that is fetched */
export function openInspectionContext(
  order: Pick<InspectionOrder, 'network' | 'originRules' | 'cookies'>,
  environment: InspectionEnvironment,
  signal: AbortSignal,
): InspectionContext {
  const limits = inspectionLimits(environment.connecting.fetching.limits)
  const connections = openConnections(order, environment.connecting, { signal, limits })
  const { largePages } = environment
  return { connections, signal, largePages, [Symbol.dispose]: () => connections[Symbol.dispose]() }
}

/** A person waits: a second attempt tells enough, and a job will make more. */
function inspectionLimits(limits: FetchLimits): FetchLimits {
  const headersTimeoutMs = Math.min(limits.headersTimeoutMs, 30_000)
  return { ...limits, attempts: 2, headersTimeoutMs, fruitlessMs: headersTimeoutMs + 10_000 }
}
