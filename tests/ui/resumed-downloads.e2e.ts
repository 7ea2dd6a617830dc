import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { readServiceOrigin } from '../../server/data/service-origin.ts'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { openForwarder } from '../support/forwarder.ts'
import { startGatedSource } from '../support/gated-source.ts'
import { sha256, sha256OfFile } from '../support/sha256.ts'
import { until } from '../support/until.ts'
import { TIMEOUT_MS } from './other-browsers/other-browser.ts'
import { openChromium } from './saving-browsers/chromium.ts'
import { openFirefox } from './saving-browsers/firefox.ts'

const FIRST_BYTES = 3_000_000
const REST_BYTES = 1_000_000

for (const [name, openBrowser] of [
  ['Chromium', openChromium],
  ['Firefox', openFirefox],
] as const)
  for (const [what, isKilled, isComplete] of [
    ['a cut line, while the archive is packed', false, false],
    ['kill -9 of the service, while the archive is packed', true, false],
    ['a cut line, when the archive is complete since', false, true],
  ] as const)
    test(`The download in ${name} goes on after ${what}, and the file is the finished archive`, async () => {
      await using source = startGatedSource()
      let dataDir: string | null = null
      const serviceOrigin = () =>
        dataDir === null ? null : (readServiceOrigin(join(dataDir, 'service-origin'))?.localOrigin ?? null)
      using line = await openForwarder(serviceOrigin)
      await using holdall = await startHoldall({ args: ['--base-url', line.origin] })
      dataDir = holdall.dataDir
      await using browser = await openBrowser()
      const client = await signInOwner(holdall)
      const urls = [
        source.url('a.bin', FIRST_BYTES),
        source.url('b.bin', REST_BYTES),
        source.url('c.bin', REST_BYTES),
      ]
      source.release('a.bin')
      const id = await client.createJob({ urls })
      const url = (await client.getJob(id)).early_download_url ?? ''
      const complete = async () => {
        source.release('b.bin', 'c.bin')
        return await client.untilEnded(id)
      }

      await browser.save(url)
      await until('the browser has saved some', () => browser.savedBytes() > FIRST_BYTES / 2, {
        deadlineMs: TIMEOUT_MS,
      })
      if (isKilled) {
        await holdall.kill()
        await holdall.restart()
      } else line.breakAll()
      if (isComplete) await complete()
      const receivedBytes = line.receivedBytes()
      await browser.resume()
      const { download_url } = await complete()
      const path = await browser.saved()
      // It has not begun again: half of the first file was on the disk.
      expect(line.receivedBytes() - receivedBytes).toBeLessThan(FIRST_BYTES + REST_BYTES)
      const finished = await fetch(download_url ?? '')
      expect(await sha256OfFile(path)).toBe(sha256(await finished.bytes()))
    })
