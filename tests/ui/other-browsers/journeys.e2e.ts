import { expect, test } from 'playwright/test'
import { startHoldall } from '../../support/executable.ts'
import { startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { messyEmail } from '../messy-email.ts'
import { openFirefox } from './firefox.ts'
import { openWebKit } from './webkit.ts'

for (const [name, openBrowser] of [
  ['Firefox', openFirefox],
  ['WebKit', openWebKit],
] as const) {
  test(`In ${name}, a messy e-mail of 31 links becomes a ZIP of 31 files on the disk`, async () => {
    await using holdall = await startHoldall()
    await using origin = await startOrigin()
    await using browser = await openBrowser()
    const urls = Array.from({ length: 31 }, (_, index) => origin.url(`/bytes/${1_000 + index}/${index}.bin`))
    await browser.open(await holdall.signInLink())
    await browser.click('link', 'New')
    // The link is there before the page that a paste is for.
    await browser.untilShown('textbox', 'Paste, drop or type links')
    await browser.paste(messyEmail(urls))
    await browser.click('button', 'Pack 31 files')
    await browser.click('link', 'Download')
    const entries = await readZip(await browser.downloaded())
    expect(entries.map(({ sizeBytes }) => sizeBytes)).toEqual(urls.map((_, index) => 1_000 + index))
  })

  test(`In ${name}, a new user signs in, types links, and somebody else downloads the archive by its link`, async () => {
    await using holdall = await startHoldall()
    await using origin = await startOrigin()
    await using browser = await openBrowser()
    await browser.open(await holdall.signInLink())
    await browser.click('textbox', 'Paste, drop or type links')
    await browser.type(`${origin.url('/bytes/3000000/disk.img')}\n${origin.url('/bytes/1000/note.bin')}`)
    await browser.pressCtrlEnter()
    // A click aims at the place of a button, and the buttons beside it change when the archive is ready.
    await browser.targetOf('Download')
    await browser.click('button', 'Share')
    const sharePage = await browser.targetOf('Open as the receiver sees it')
    await browser.forgetUser()
    await browser.open(sharePage)
    await browser.click('link', 'Download')
    const entries = await readZip(await browser.downloaded())
    expect(entries.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ['disk.img', 3_000_000],
      ['note.bin', 1_000],
    ])
  })
}
