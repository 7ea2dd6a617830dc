import { expect, type Page } from 'playwright/test'
import { test } from '../browser-test.ts'
import { fileRows, linkBox, pasteLinks } from '../link-steps.ts'
import { expectCount, number, textOf } from '../many-links-steps.ts'
import { expectShortTasks } from '../short-tasks.ts'
import { signInByLink } from '../sign-in-steps.ts'

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

/** Takes back all changes, until the box for links is empty. */
async function undoAll(page: Page): Promise<void> {
  while ((await linkBox(page).count()) === 0 || (await linkBox(page).textContent()) !== '')
    await page.keyboard.press('ControlOrMeta+z')
  await expect(linkBox(page)).toHaveText('')
}
