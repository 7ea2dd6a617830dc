import { expect, type Page } from 'playwright/test'
import { test } from './browser-test.ts'
import { dropFile, expectText, fileRows, linkBox, packButton, pasteLinks } from './link-steps.ts'
import { expectShortTasks } from './short-tasks.ts'
import { signInByLink } from './sign-in-steps.ts'

for (const { count, plainLines } of [
  { count: 5_000, plainLines: 2_500 },
  { count: 20_000, plainLines: 3_750 },
]) {
  test(`With ${count} links, no step from the paste to the edited text takes a task as long as a plain list of ${plainLines} lines`, async ({
    page,
    holdall,
    browser,
  }) => {
    test.setTimeout(180_000)
    await signInByLink(page, holdall)
    // The list and the map are loaded before the first paste.
    await pasteLinks(page, 'https://a.test/first')
    await expect(fileRows(page)).toHaveCount(1)
    const text = textOf(count)
    const last = page.getByRole('textbox', { name: `Name of file ${number(count)}`, exact: true })
    /** The text is recognised again while the page stays responsive. */
    const expectRead = () => expect(page.getByRole('progressbar', { name: 'Reading links' })).toBeHidden()
    const steps = {
      async paste() {
        await pasteLinks(page, text)
        await expectCount(page, count)
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
        await expectCount(page, count - 1)
      },
      async merge() {
        await page.getByRole('button', { name: 'Merge duplicates' }).click()
        await expectCount(page, count / 2)
      },
      async undo() {
        await page.getByRole('button', { name: 'Undo' }).click()
        await expectCount(page, count - 1)
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
    await expectShortTasks(browser, page, plainLines, steps, () => undoAll(page))
    expect(Number(await page.evaluate('document.documentElement.scrollHeight'))).toBeLessThan(5_000)
  })
}

test('With 20,000 links in 200 folders, no step takes a task as long as a plain list of 7,500 lines', async ({
  page,
  holdall,
  browser,
}) => {
  test.setTimeout(180_000)
  await signInByLink(page, holdall)
  await pasteLinks(page, 'https://a.test/first')
  await expect(fileRows(page)).toHaveCount(1)
  const list = page.getByRole('region', { name: 'Files' })
  const first = list.getByRole('button', { name: 'folder 0 100 files' })
  const last = page.getByRole('textbox', { name: 'Name of file 20,001', exact: true })
  const selected = page.getByRole('group', { name: 'Chosen files' })
  const steps = {
    async paste() {
      await pasteLinks(
        page,
        textOf(20_000, (index) => `folder ${index % 200}/${index}.jpg`),
      )
      await expectCount(page, 20_001)
      await expect(first).toBeVisible()
    },
    async fold() {
      await first.press('ArrowLeft')
      await expect(list.getByRole('button', { name: 'folder 1 100 files' })).toBeVisible()
    },
    async unfold() {
      await first.press('ArrowRight')
      await expect(first).toHaveAttribute('aria-expanded', 'true')
    },
    async select() {
      await page.getByRole('checkbox', { name: 'Select folder folder 0', exact: true }).press('Space')
      await expect(selected).toContainText('100 selected')
    },
    async filter() {
      await page.getByRole('searchbox', { name: 'Filter files' }).fill('folder 199/')
      await expect(list.getByRole('button', { name: 'folder 199 100 files' })).toBeVisible()
    },
    async 'rename to another folder'() {
      await list.press('End')
      await last.fill('/folder 0/last.jpg')
      await last.press('Tab')
      await expect(last).toBeHidden()
    },
    async undo() {
      await page.getByRole('searchbox', { name: 'Filter files' }).fill('')
      for (let change = 0; change < 2; change++) await page.getByRole('button', { name: 'Undo' }).click()
      await expect(fileRows(page)).toHaveCount(1)
    },
  }
  await expectShortTasks(browser, page, 7_500, steps, async () => void (await page.reload()))
})

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

test('The map of 9,990 links shows a change as if it were new', async ({ page, holdall }) => {
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

/** What the button says, or the message that there are more links than one archive holds. */
async function expectCount(page: Page, count: number): Promise<void> {
  if (count <= MAX_LINKS) await expect(packButton(page)).toHaveText(`Pack ${number(count)} files`)
  else await expect(page.getByText(`${number(count - MAX_LINKS)} too many`)).toBeVisible()
}

const MAX_LINKS = 5_000
const number = (value: number) => value.toLocaleString('en-US')

/** Takes back all changes, until the box for links is empty. */
async function undoAll(page: Page): Promise<void> {
  while ((await linkBox(page).count()) === 0 || (await linkBox(page).textContent()) !== '')
    await page.keyboard.press('ControlOrMeta+z')
  await expect(linkBox(page)).toHaveText('')
}

/** Waits until the map is painted, and returns the digest of its pixels. */
async function digestOfMap(page: Page): Promise<unknown> {
  await page.waitForSelector('canvas')
  return await page.evaluate(`(async () => {
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame)
    const canvas = document.querySelector('canvas')
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    return new Uint8Array(await crypto.subtle.digest('SHA-256', data)).toHex()
  })()`)
}

/** Half of the links repeat the other half, as far as they have no names. */
function textOf(count: number, nameOf?: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => {
    const url = `https://a.test/files/${index % (count / 2)}/photo.jpg`
    return nameOf === undefined ? url : `${url}\t${nameOf(index)}`
  }).join('\n')
}
