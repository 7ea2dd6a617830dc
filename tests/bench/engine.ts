/**
 * The engine as in the service: in a worker thread, which is started for the benchmark, with checkpoint rows in SQLite.
 */
import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { WorkerPool } from '../../server/engine/pool.ts'
import { openLog } from '../../server/logging/log.ts'

const [list = '', out = '', workerPath = ''] = process.argv.slice(2)
const urls = readFileSync(list, 'utf8').trim().split('\n')
const db = new Database(`${out}.db`)
db.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE rows (position INTEGER, entry TEXT)',
)
const insert = db.prepare('INSERT INTO rows VALUES (?, ?)')
const commit = db.transaction((changes: readonly { entry?: { position: number } }[]) => {
  for (const { entry } of changes) insert.run(entry?.position ?? null, JSON.stringify(entry))
})

const startedMs = performance.now()
await using pool = new WorkerPool({
  workerUrl: pathToFileURL(workerPath),
  bounds: { total: 64, perHost: 32 },
  log: openLog(),
})
const outcome = await pool.run(
  {
    jobId: 'bench',
    group: 'bench',
    archivePath: out,
    sources: urls.map((url) => ({ url, filename: null })),
    failOnUrlError: true,
    maxZipBytes: Number.MAX_SAFE_INTEGER,
    checkpoint: { entries: [], move: null },
    network: { allowedNetworks: ['127.0.0.0/8'], ownPort: null },
  },
  {
    commit: ({ changes }) => commit(changes.map((change) => (change.kind === 'put' ? change : {}))),
    progress() {},
  },
  new AbortController().signal,
)
if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome))
console.log(performance.now() - startedMs)
