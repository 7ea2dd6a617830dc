import { describe, expect, test } from 'bun:test'
import { expectSelfContained } from '../../support/docs-page.ts'
import { forFile } from '../../support/for-file.ts'
import { startService } from '../../support/service.ts'
import { startSources } from '../../support/sources.ts'
import { accessCalls } from './access-calls.ts'
import type { Context } from './call.ts'
import { errorCalls } from './error-calls.ts'
import { jobCalls } from './job-calls.ts'
import { packingCalls } from './packing-calls.ts'
import { webhookCalls } from './webhook-calls.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
const page = await (await fetch(`${service.origin}/docs/moving-from-eazip`)).text()
const rows = [...page.matchAll(/<tr><td><code>(.*?)<\/code><\/td><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/g)]

const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/ok/b')])

const context: Context = { service, sources, job }
const calls = [
  ...jobCalls(context),
  ...webhookCalls(context),
  ...packingCalls(context),
  ...accessCalls(context),
  ...errorCalls(context),
]

describe('The page on moving from Eazip', () => {
  test('is linked from the API reference, and has a verdict and a note on each call', async () => {
    expect(await (await fetch(`${service.origin}/docs`)).text()).toContain('href="/docs/moving-from-eazip"')
    expect(rows.map(([, call, verdict]) => [call, verdict])).toEqual(
      calls.map(([call, verdict]) => [call, verdict]),
    )
    for (const [, call, , note] of rows) expect([call, note]).toEqual([call, expect.stringMatching(/\.$/)])
  })

  test('loads nothing from other origins, and its links lead to pages and sections', async () => {
    await expectSelfContained(service.origin, page)
  })

  test.each(calls)('says what happens with %s: %s', async (_call, _verdict, check) => {
    await check()
  })
})
