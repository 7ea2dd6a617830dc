import { expect, type Page } from 'playwright/test'
import { test } from './browser-test.ts'
import { dropFile, expectText, fileRows, pasteLinks } from './link-steps.ts'
import { expectCount, textOf } from './many-links-steps.ts'
import { signInByLink } from './sign-in-steps.ts'

test('A text of 50 MB is read with a progress line, and can be cancelled, while the page stays responsive', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  // 50 MB in the page, without sending them there.
  await page.evaluate(`(() => {
    // At once, since a fast machine may have read them before the click of another process comes.
    const cancel = new MutationObserver(() => {
      const bar = document.querySelector('progress')
      if (bar === null || bar.value === 0) return
      cancel.disconnect()
      globalThis.cancelledAt = bar.value
      const buttons = [...document.querySelectorAll('button')]
      buttons.find(({ textContent }) => textContent === 'Cancel').click()
    })
    cancel.observe(document.body, { subtree: true, childList: true, attributes: true })
    const transfer = new DataTransfer()
    const lines = 'words without a link in them, and more of them\\n'.repeat(21_000)
    transfer.items.add(new File([...Array(50).fill(lines), 'https://a.test/last.pdf'], 'long.txt'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  })()`)
  await expect.poll(() => page.evaluate('globalThis.cancelledAt ?? 0')).toBeGreaterThan(0)
  await expect(page.getByRole('progressbar', { name: 'Reading links' })).toBeHidden()
  await expectText(page, '')
  await dropFile(page, 'main', 'list.txt', 'https://a.test/one')
  await expect(fileRows(page)).toHaveCount(1)
})

test('The map of 9,990 links shows a change as if it were new', async ({ page, holdall }) => {
  await page.addInitScript(RECORD_FRAMES)
  await signInByLink(page, holdall)
  await pasteLinks(page, textOf(9_990))
  await expectCount(page, 9_990)
  const before = await digestOfMap(page)
  await page.getByRole('region', { name: 'Files' }).press('End')
  await page.getByRole('textbox', { name: 'Name of file 9,990', exact: true }).press('Tab')
  await page.keyboard.press('Enter')
  await expectCount(page, 9_989)
  const changed = await digestOfMap(page)
  expect(changed).not.toEqual(before)
  await page.reload()
  await expectCount(page, 9_989)
  await expect.poll(() => digestOfMap(page)).toEqual(changed)
})

/** Waits until the map is painted, and returns the digest of its pixels. */
async function digestOfMap(page: Page): Promise<unknown> {
  await page.waitForSelector('canvas')
  return await page.evaluate(`(async () => {
    while (requestedFrames.size > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    const canvas = document.querySelector('canvas')
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    return new Uint8Array(await crypto.subtle.digest('SHA-256', data)).toHex()
  })()`)
}

/** A large map is painted in many frames, of which each asks for the next. */
const RECORD_FRAMES = `
  globalThis.requestedFrames = new Set()
  const [request, cancel] = [requestAnimationFrame, cancelAnimationFrame]
  globalThis.requestAnimationFrame = (act) => {
    const id = request((time) => {
      requestedFrames.delete(id)
      act(time)
    })
    requestedFrames.add(id)
    return id
  }
  globalThis.cancelAnimationFrame = (id) => {
    requestedFrames.delete(id)
    cancel(id)
  }
`
