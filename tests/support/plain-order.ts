import { type JobOrder, sourcesFrom } from '../../server/engine/job-order.ts'

/** The order of a job that packs URLs of this machine, all or none, and has not begun. */
export function plainOrder(archivePath: string, urls: readonly string[]): JobOrder {
  return {
    jobId: 'test',
    group: 'test',
    archivePath,
    sources: sourcesFrom(urls.map((url) => ({ url, filename: null }))),
    failOnUrlError: true,
    failOnWarning: false,
    hasManifest: false,
    maxZipBytes: 50e9,
    maxDeclaredBytes: 50e9,
    checkpoint: { entries: [], move: null, settledBytes: 0 },
    earlyReaders: null,
    base: null,
    network: { allowedNetworks: ['127.0.0.0/8'], ownPort: null },
    originRules: [],
    cookies: [],
  }
}
