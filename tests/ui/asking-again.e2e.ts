import { expect, type Page } from 'playwright/test'
import { test } from './browser-test.ts'
import { signInByKey } from './signed-in.ts'

test('A stream that breaks is opened again after pauses that double up to five seconds', async ({
  page,
  holdall,
  complaints,
}) => {
  complaints.provoke('net::ERR_')
  await signInByKey(page, holdall)
  await openWithClock(page, `${holdall.address}/archives`, 'No archives yet')
  await holdall.kill()
  // The first holds the time for which the stream was open.
  const [, ...pausesMs] = await pausesBetween(page, '/events', 7, 100)
  expectPauses(pausesMs, [1_000, 2_000, 4_000, 5_000, 5_000], 500)
})

test('A stream that says nothing for 45 seconds is opened again', async ({ page, holdall }) => {
  await signInByKey(page, holdall)
  await openWithClock(page, `${holdall.address}/archives`, 'No archives yet')
  const pausesMs = await pausesBetween(page, '/events', 3, 500)
  // The pause after a stream that broke is in it.
  expectPauses(pausesMs.slice(1), [45_500], 1_500)
})

test('Keys are asked for every ten seconds, but not while the page is hidden', async ({ page, holdall }) => {
  await signInByKey(page, holdall)
  await openWithClock(page, `${holdall.address}/keys`, 'API keys')
  const pausesMs = await pausesBetween(page, '/api-keys', 3, 100)
  expectPauses(pausesMs.slice(1), [10_000], 500)

  await setHidden(page, true)
  const asked = (await requestsFor(page, '/api-keys')).length
  await page.clock.runFor(60_000)
  expect(await requestsFor(page, '/api-keys')).toHaveLength(asked)
  await setHidden(page, false)
  await expect.poll(async () => (await requestsFor(page, '/api-keys')).length).toBe(asked + 1)
})

/** Opens a page in which time stands still but for what `page.clock` lets pass, and which notes when it asks. */
async function openWithClock(page: Page, url: string, heading: string) {
  await page.addInitScript(NOTE_REQUESTS)
  await page.clock.install()
  await page.goto(url)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 1_000)
}

const NOTE_REQUESTS = `
  globalThis.asked = []
  const send = fetch
  globalThis.fetch = async (path, options) => {
    const request = { path, atMs: Date.now(), answeredAtMs: null }
    asked.push(request)
    try {
      return await send(path, options)
    } finally {
      request.answeredAtMs = Date.now()
    }
  }
`

interface Asked {
  readonly path: string
  readonly atMs: number
  /** When it was answered, or failed; null until then. */
  readonly answeredAtMs: number | null
}

/** Lets time pass in steps until so many requests for the path were made, and gives the pauses behind their answers. */
async function pausesBetween(page: Page, path: string, count: number, stepMs: number): Promise<number[]> {
  let asked = await requestsFor(page, path)
  while (asked.length < count) {
    await page.clock.runFor(stepMs)
    asked = await requestsFor(page, path)
  }
  return asked.slice(1).map(({ atMs }, index) => atMs - (asked[index]?.answeredAtMs ?? atMs))
}

async function requestsFor(page: Page, path: string): Promise<Asked[]> {
  const asked: Asked[] = await page.evaluate('asked')
  return asked.filter((request) => request.path === path)
}

/** What is done between an answer and the next pause may take a step, or two on a busy machine. */
function expectPauses(pausesMs: readonly number[], expectedMs: readonly number[], latenessMs: number) {
  expect(pausesMs).toHaveLength(expectedMs.length)
  for (const [index, pauseMs] of pausesMs.entries()) {
    expect(pauseMs).toBeGreaterThanOrEqual(expectedMs[index] ?? 0)
    expect(pauseMs).toBeLessThanOrEqual((expectedMs[index] ?? 0) + latenessMs)
  }
}

async function setHidden(page: Page, isHidden: boolean) {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
}
