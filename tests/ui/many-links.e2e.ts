import { expect } from 'playwright/test'
import { test } from './browser-test.ts'
import { dropFile, expectText, fileRows, linkBox, packButton, pasteLinks } from './link-steps.ts'
import { longestTaskCpuMs } from './longest-task.ts'
import { signInByLink } from './sign-in-steps.ts'

for (const { count, maxTaskMs } of [
  { count: 5_000, maxTaskMs: 100 },
  { count: 20_000, maxTaskMs: 200 },
]) {
  test(`With ${count} links, no step from the paste to the edited text takes a task of more than ${maxTaskMs} ms`, async ({
    page,
    holdall,
    browser,
  }) => {
    test.setTimeout(180_000)
    await signInByLink(page, holdall)
    // The list and the map are loaded before the first paste.
    await pasteLinks(page, 'https://a.test/first')
    await expect(fileRows(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(linkBox(page)).toBeVisible()
    const text = textOf(count)
    const number = (files: number) => files.toLocaleString('en')
    const last = page.getByRole('textbox', { name: `Name of file ${number(count)}`, exact: true })
    /** The text is recognised again while the page stays responsive. */
    const expectRead = () => expect(page.getByRole('progressbar', { name: 'Reading links' })).toBeHidden()
    const steps = {
      async paste() {
        await pasteLinks(page, text)
        await expect(packButton(page)).toHaveText(`Pack ${number(count)} files`)
        await expect(fileRows(page).nth(1).getByRole('textbox')).toHaveValue('photo (2).jpg')
      },
      async scroll() {
        await page.getByRole('region', { name: 'Files' }).press('End')
        await expect(last).toBeVisible()
      },
      async rename() {
        await last.fill('last.jpg')
        await last.press('Tab')
        await expect(page.getByRole('button', { name: 'Remove last.jpg' })).toBeFocused()
      },
      async remove() {
        await page.keyboard.press('Enter')
        await expect(packButton(page)).toHaveText(`Pack ${number(count - 1)} files`)
      },
      async merge() {
        await page.getByRole('button', { name: 'Merge duplicates' }).click()
        await expect(packButton(page)).toHaveText(`Pack ${number(count / 2)} files`)
      },
      async undo() {
        await page.getByRole('button', { name: 'Undo' }).click()
        await expect(packButton(page)).toHaveText(`Pack ${number(count - 1)} files`)
      },
      async 'edit as text'() {
        await page.getByRole('button', { name: 'Edit as text' }).click()
        await expect(linkBox(page)).toContainText(/^https:\/\/a\.test\/files\/0\//)
        await expectRead()
        await expect(linkBox(page)).toContainText(new RegExp(`/${count / 2 - 2}/photo\\.jpg$`))
      },
      async 'type in the text'() {
        await linkBox(page).press('ControlOrMeta+End')
        await page.keyboard.type('\nhttps://a.test/typed')
        await expect(page.getByText(`${number(count)} links found`)).toBeVisible()
        await expectRead()
      },
      async 'show as list'() {
        await page.getByRole('button', { name: 'Show as list' }).click()
        await expect(fileRows(page).nth(1).getByRole('textbox')).toHaveValue('photo (2).jpg')
      },
    }
    const longestMs: [step: string, ms: number][] = []
    for (const [step, action] of Object.entries(steps))
      longestMs.push([step, await longestTaskCpuMs(browser, page, action)])
    expect(longestMs.filter(([, ms]) => ms > maxTaskMs)).toEqual([])
    expect(Number(await page.evaluate('document.documentElement.scrollHeight'))).toBeLessThan(5_000)
  })
}

test('A text of 50 MB is read with a progress line, and can be cancelled, while the page stays responsive', async ({
  page,
  holdall,
}) => {
  test.setTimeout(120_000)
  await signInByLink(page, holdall)
  // 50 MB in the page, without sending them there.
  await page.evaluate(`(() => {
    const transfer = new DataTransfer()
    const lines = 'words without a link in them, and more of them\\n'.repeat(21_000)
    transfer.items.add(new File([...Array(50).fill(lines), 'https://a.test/last.pdf'], 'long.txt'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  })()`)
  await expect(page.getByRole('progressbar', { name: 'Reading links' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('progressbar', { name: 'Reading links' })).toBeHidden()
  await expectText(page, '')
  await dropFile(page, 'main', 'list.txt', 'https://a.test/one')
  await expect(fileRows(page)).toHaveCount(1)
})

/** Half of the links repeat the other half. */
function textOf(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `https://a.test/files/${index % (count / 2)}/photo.jpg`,
  ).join('\n')
}
