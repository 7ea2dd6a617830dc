import { expect, type Page } from 'playwright/test'
import { until } from '../support/until.ts'
import { test } from './browser-test.ts'
import { stopClock } from './page-polling.ts'
import { signInByKey } from './sign-in-steps.ts'

test('A broken stream is reopened after delays that double up to five seconds', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow('net::ERR_')
  await signInByKey(page, holdall)
  await openWithClock(page, `${holdall.address}/archives`, 'No archives yet')
  await holdall.kill()
  // The first delay includes the time for which the stream was open.
  const [, ...delaysMs] = await delaysBetween(page, '/events', 7, 100)
  expectDelays(delaysMs, [1_000, 2_000, 4_000, 5_000, 5_000], 500)
})

test('A stream that is silent for 45 seconds is reopened', async ({ page, holdall }) => {
  await signInByKey(page, holdall)
  await openWithClock(page, `${holdall.address}/archives`, 'No archives yet')
  const delaysMs = await delaysBetween(page, '/events', 3, 500)
  // 45 s of silence and 500 ms until the stream is reopened.
  expectDelays(delaysMs.slice(1), [45_500], 1_500)
})

test('The list of keys is reloaded every ten seconds, but not while the page is hidden', async ({
  page,
  holdall,
}) => {
  await signInByKey(page, holdall)
  await openWithClock(page, `${holdall.address}/keys`, 'API keys')
  const delaysMs = await delaysBetween(page, '/api-keys?limit=100', 3, 100)
  expectDelays(delaysMs.slice(1), [10_000], 500)

  await setHidden(page, true)
  const requestCount = (await requestsFor(page, '/api-keys?limit=100')).length
  await page.clock.runFor(60_000)
  expect(await requestsFor(page, '/api-keys?limit=100')).toHaveLength(requestCount)
  await setHidden(page, false)
  await expect
    .poll(async () => (await requestsFor(page, '/api-keys?limit=100')).length)
    .toBe(requestCount + 1)
})

/** Opens a page that records its requests, and whose clock advances only when `page.clock` is told to. */
async function openWithClock(page: Page, url: string, heading: string) {
  await page.addInitScript(RECORD_REQUESTS)
  await page.clock.install()
  await page.goto(url)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await stopClock(page)
}

const RECORD_REQUESTS = `
  globalThis.requests = []
  const send = fetch
  globalThis.fetch = async (path, options) => {
    const request = { path, atMs: Date.now(), respondedAtMs: null }
    requests.push(request)
    const arrived = () => {
      request.respondedAtMs = Date.now()
    }
    try {
      const response = await send(path, options)
      const readJson = response.json.bind(response)
      response.json = () => readJson().finally(arrived)
      const { body } = response
      const openReader = body.getReader.bind(body)
      body.getReader = () => {
        const reader = openReader()
        const read = reader.read.bind(reader)
        reader.read = async () => {
          const part = await read()
          if (!part.done) arrived()
          return part
        }
        return reader
      }
      return response
    } finally {
      arrived()
    }
  }
`

interface RecordedRequest {
  readonly path: string
  readonly atMs: number
  /** When the last of the response so far has arrived, or the request failed; null until then. */
  readonly respondedAtMs: number | null
}

/**
 * Advances the clock in steps until `count` requests for the path have been sent. Returns the delays between each
 * response and the next request.
 */
async function delaysBetween(page: Page, path: string, count: number, stepMs: number): Promise<number[]> {
  const requests = await until(`${count} requests for ${path} are sent`, async () => {
    const sent = await requestsFor(page, path)
    if (sent.length >= count) return sent
    // A response arrives while the clock stands.
    if (sent.at(-1)?.respondedAtMs !== null) await page.clock.runFor(stepMs)
    return null
  })
  return requests.slice(1).map(({ atMs }, index) => atMs - (requests[index]?.respondedAtMs ?? atMs))
}

async function requestsFor(page: Page, path: string): Promise<RecordedRequest[]> {
  const requests: RecordedRequest[] = await page.evaluate('requests')
  return requests.filter((request) => request.path === path)
}

/** Handling a response may take one step of the clock, or two. */
function expectDelays(delaysMs: readonly number[], expectedMs: readonly number[], toleranceMs: number) {
  expect(delaysMs).toHaveLength(expectedMs.length)
  for (const [index, delayMs] of delaysMs.entries()) {
    expect(delayMs).toBeGreaterThanOrEqual(expectedMs[index] ?? 0)
    expect(delayMs).toBeLessThanOrEqual((expectedMs[index] ?? 0) + toleranceMs)
  }
}

async function setHidden(page: Page, isHidden: boolean) {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
}
