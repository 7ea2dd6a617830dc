import { expect, test } from 'playwright/test'
import type { KeyInput, Page } from 'puppeteer-core'
import { startHoldall } from '../../support/executable.ts'
import { startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { messyEmail } from '../messy-email.ts'
import { openFirefox } from './open-firefox.ts'

// Firefox itself takes some seconds to start.
test.setTimeout(120_000)

const LINK_BOX = 'aria/Paste, drop or type links[role="textbox"]'
const DOWNLOAD = 'aria/Download[role="link"]'
const SHARE_PAGE = 'aria/Share page[role="link"]'

test('In Firefox, a messy e-mail of 31 links becomes a ZIP of 31 files on the disk', async () => {
  await using holdall = await startHoldall()
  await using origin = await startOrigin()
  await using firefox = await openFirefox()
  const { page } = firefox
  const urls = Array.from({ length: 31 }, (_, index) => origin.url(`/bytes/${1_000 + index}/${index}.bin`))
  await page.goto(await holdall.signInLink())
  await page.waitForSelector(LINK_BOX)
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(messyEmail(urls))})`)
  await pressWithControl(page, 'v')
  await page.locator('aria/Pack 31 files').click()
  await page.locator(DOWNLOAD).click()
  const entries = await readZip(await firefox.downloaded())
  expect(entries.map(({ sizeBytes }) => sizeBytes)).toEqual(urls.map((_, index) => 1_000 + index))
  expect(firefox.errors).toEqual([])
})

test('In Firefox, a new user signs in, types links, and somebody else downloads the archive by its link', async () => {
  await using holdall = await startHoldall()
  await using origin = await startOrigin()
  await using firefox = await openFirefox()
  const { page } = firefox
  await page.goto(await holdall.signInLink())
  await page.locator(LINK_BOX).click()
  await page.keyboard.type(origin.url('/bytes/3000000/disk.img'))
  await page.keyboard.press('Enter')
  await page.keyboard.type(origin.url('/bytes/1000/note.bin'))
  await pressWithControl(page, 'Enter')
  await page.waitForSelector(SHARE_PAGE)
  const link = String(await page.evaluate(`document.querySelector('a[href*="/share/"]').href`))
  await page.evaluate('localStorage.clear()')
  await page.goto(link)
  await page.locator(DOWNLOAD).click()
  const entries = await readZip(await firefox.downloaded())
  expect(entries.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
    ['disk.img', 3_000_000],
    ['note.bin', 1_000],
  ])
  expect(firefox.errors).toEqual([])
})

async function pressWithControl(page: Page, key: KeyInput): Promise<void> {
  await page.keyboard.down('Control')
  await page.keyboard.press(key)
  await page.keyboard.up('Control')
}
