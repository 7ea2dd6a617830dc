/**
 * `bun run fuzz [--seed N] [--requests N] [--mutations N] [--properties N]`: sends malformed requests, and altered keys,
 * tokens and cursors, to the built executable, and runs the property tests with N other seeds. It prints the seed, which
 * reproduces the same requests and values.
 */
import { parseArgs } from 'node:util'
import { signIn, signInOwner } from '../support/client.ts'
import { addUser, startHoldall } from '../support/executable.ts'
import { startSources } from '../support/sources.ts'
import { fuzzProperties } from './fuzz-properties.ts'
import { fuzzRequests } from './fuzz-requests.ts'
import { fuzzSecrets } from './fuzz-secrets.ts'
import type { Target } from './target.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
    requests: { type: 'string', default: '100000' },
    mutations: { type: 'string', default: '100000' },
    properties: { type: 'string', default: '20' },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}`)

await using sources = startSources()
await using holdall = await startHoldall({
  // NODE_ENV must not change the behaviour.
  env: { NODE_ENV: 'development' },
  // Wrong keys are limited per address, and each request claims another address.
  args: ['--rate-limit', '0', '--trust-proxy', '127.0.0.0/8'],
})
const owner = await signInOwner(holdall)
const other = await signIn(addUser(holdall, 'other'))
const target: Target = {
  origin: holdall.address,
  keys: [owner.key, other.key],
  signInToken: new URL(addUser(holdall, 'newcomer')).hash.slice(1),
  sourceUrl: sources.url('/ok/page.html'),
  hidden: [holdall.dataDir],
}

const failures: string[] = []
const secrets = await timed(() => fuzzSecrets(target, Number(values.mutations), seed))
for (const [kind, count] of secrets.tried) console.log(`${kind}: ${count} tried`)
console.log(`${secrets.accepted.length} accepted`)
failures.push(...secrets.accepted)

const requests = await timed(() => fuzzRequests(target, Number(values.requests), seed))
for (const [answer, count] of [...requests.answers].toSorted()) console.log(`${answer}: ${count}`)
failures.push(...requests.faults)

failures.push(...(await timed(() => fuzzProperties(Number(values.properties), seed))))
console.log(`property tests: ${values.properties} seeds tried`)

if ((await fetch(`${holdall.address}/health`)).status !== 200)
  failures.push('The service does not work any more.')
console.log(`peak memory of the service: ${Math.ceil(holdall.peakMemoryBytes() / 1e6)} MB`)
const log = holdall.output()
for (const key of target.keys) if (log.includes(key)) failures.push('A key is in the log.')
const errors = log.split('\n').filter((line) => / error |"level":"error"/.test(line))
failures.push(...errors.slice(0, 5).map((line) => `In the log: ${line}`))

for (const failure of failures) console.error(`\n${failure}`)
console.log(`\n${failures.length === 0 ? 'nothing found' : `${failures.length} found`} (seed ${seed})`)
process.exitCode = failures.length === 0 ? 0 : 1

async function timed<T>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const result = await work()
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  return result
}
