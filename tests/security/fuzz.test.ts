// test group: long
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fuzzRequests } from '../fuzz/fuzz-requests.ts'
import { fuzzSecrets } from '../fuzz/fuzz-secrets.ts'
import type { Target } from '../fuzz/target.ts'
import { openReference } from '../support/documented.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

// A short version of `bun run fuzz`, with fixed seeds, so that all runs send the same requests.

const SEED = 1
/**
 * The order of the responses varies, and with it the ids that later requests use. So an operation that is seldom valid may
 * fail in one round. The next round has another seed.
 */
const MAX_ROUNDS = 10
const sources = forFile(startSources())
const dir = forFile(tempDir())
writeFileSync(dir.file('plans.json'), '{}')
/** With the limits set by flags, so that no random change of settings makes the other requests fail. */
const service = forFile(
  await startService({
    'rate-limit': ['0'],
    'trust-proxy': ['127.0.0.0/8'],
    'limit-rate': ['1G'],
    plans: [dir.file('plans.json')],
  }),
)
const target: Target = {
  origin: service.origin,
  keys: [service.key, await service.addUser('free', 'free')],
  signInToken: await newSignInToken(),
  sourceUrl: sources.url('/ok/page.html'),
  hidden: [dirname(service.dataDir)],
}

const { paths } = (await openReference(service.origin)).document
/**
 * All operations that random requests can complete. Cancel and retry need a job in the right status, a redelivery needs a
 * delivery of its webhook, sign-in needs the only valid token, a check of the base URL needs one, and metrics and a change of the service
 * need a request without X-Forwarded-For. Few random changes of a job are valid and also name a job of their caller.
 */
const operations = Object.entries(paths)
  .flatMap(([path, byVerb]) => Object.keys(byVerb).map((verb) => `${verb.toUpperCase()} ${path}`))
  .filter(
    (operation) =>
      !/cancel|retry|redeliver|sign-in|base-url|metrics|PATCH \/(?:jobs|service)/.test(operation),
  )

test('requests generated from /openapi.json get only responses that it describes, and no INTERNAL_ERROR', async () => {
  // Valid requests must be among them.
  let missing = operations
  for (let round = 0; missing.length > 0 && round < MAX_ROUNDS; round++) {
    const { answers, succeeded, faults } = await fuzzRequests(target, 3_000, SEED + 1_000 * round)
    expect(faults).toEqual([])
    const statuses = ['200', '201', '400', '401', '403', '404', '405']
    expect(statuses.filter((status) => !answers.has(status))).toEqual([])
    missing = missing.filter((operation) => !succeeded.has(operation))
  }
  expect(missing).toEqual([])
  expect(service.logged.filter((line) => / error /.test(line))).toEqual([])
  // No request has revoked the keys that the others need.
  for (const key of target.keys) expect((await service.request('GET', '/me', { key })).status).toBe(200)
}, 300_000)

test('3,000 altered keys, tokens and cursors are all refused', async () => {
  const { tried, accepted } = await fuzzSecrets(target, 3_000, SEED)
  expect(accepted).toEqual([])
  expect([...tried.values()]).toEqual([600, 600, 600, 600, 600])
}, 300_000)

async function newSignInToken(): Promise<string> {
  const { stdout } = await runCommand(['sign-in-link', '--data', service.dataDir])
  return /#(\S+)/.exec(stdout)?.[1] ?? ''
}
