/** What is fetched: a number of bodies of the same size, each after a latency in milliseconds. */
export interface Workload {
  readonly title: string
  readonly count: number
  readonly sizeBytes: number
  readonly contentType: string
  readonly latencyMs: number
}

const BINARY = 'application/octet-stream'

export const WORKLOADS: readonly Workload[] = [
  { title: '5,000 x 20 KB', count: 5000, sizeBytes: 20_000, contentType: BINARY, latencyMs: 0 },
  { title: '200 x 5 MB', count: 200, sizeBytes: 5_000_000, contentType: BINARY, latencyMs: 0 },
  { title: '4 x 1 GB', count: 4, sizeBytes: 1_000_000_000, contentType: BINARY, latencyMs: 0 },
  {
    title: '2,000 x 100 KB text, stored',
    count: 2000,
    sizeBytes: 100_000,
    contentType: BINARY,
    latencyMs: 0,
  },
  {
    title: '2,000 x 100 KB text, deflated',
    count: 2000,
    sizeBytes: 100_000,
    contentType: 'application/json',
    latencyMs: 0,
  },
  { title: '1,000 x 20 KB behind 50 ms', count: 1000, sizeBytes: 20_000, contentType: BINARY, latencyMs: 50 },
]
