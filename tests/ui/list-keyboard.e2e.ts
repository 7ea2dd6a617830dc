import { expect, type Locator, type Page } from 'playwright/test'
import { signInOwner } from '../support/client.ts'
import { startOrigin } from '../support/origin.ts'
import { startSite } from '../support/site.ts'
import { test } from './browser-test.ts'
import { expectNames, fileRows, packButton, pasteLinks } from './link-steps.ts'
import { signInByKey, signInByLink } from './sign-in-steps.ts'

const list = (page: Page) => page.getByRole('region', { name: 'Files', exact: true })
const filter = (page: Page) => page.getByRole('searchbox', { name: 'Filter files' })
const chosen = (page: Page) => page.getByRole('group', { name: 'Chosen files' })
const nameOf = (page: Page, number: string) =>
  page.getByRole('textbox', { name: `Name of file ${number}`, exact: true })
const checkbox = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

test('However long the list is, Tab leads past it in a few presses, and Shift+Tab back to the row that had the focus', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(
    page,
    lines(5_000, (index) => `https://a.test/page-${index}`),
  )
  await expect(packButton(page)).toHaveText('Pack 5,000 files')
  await filter(page).focus()
  await press(page, 'Tab')
  await expect(checkbox(page, 'page-0')).toBeFocused()
  await press(page, 'End')
  await expect(checkbox(page, 'page-4999')).toBeFocused()
  const controls = ['Name of file 5,000', 'Look inside page-4999', 'Remove page-4999']
  for (const name of controls) {
    await press(page, 'Tab')
    await expect(
      list(page).getByLabel(name, { exact: true }).or(list(page).getByRole('button', { name })),
    ).toBeFocused()
  }
  await press(page, 'Tab')
  await expect(list(page).locator(':focus')).toHaveCount(0)
  await press(page, 'Shift+Tab')
  await expect(list(page).getByRole('button', { name: 'Remove page-4999' })).toBeFocused()
  for (const _control of [...controls, 'the filter']) await press(page, 'Shift+Tab')
  await expect(filter(page)).toBeFocused()
})

test('Home, End and the page keys lead to other rows, Left, Right and Escape to the controls of a row', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(
    page,
    lines(300, (index) => `https://a.test/${index}.pdf`),
  )
  await expect(packButton(page)).toHaveText('Pack 300 files')
  await checkbox(page, '0.pdf').focus()
  await press(page, 'PageDown')
  await expect(list(page).locator(':focus')).toHaveAttribute('type', 'checkbox')
  await expect(checkbox(page, '0.pdf')).not.toBeFocused()
  await press(page, 'PageUp')
  await expect(checkbox(page, '0.pdf')).toBeFocused()
  await press(page, 'End')
  await expect(checkbox(page, '299.pdf')).toBeFocused()
  await press(page, 'ArrowDown', 'ArrowRight')
  await expect(nameOf(page, '300')).toBeFocused()
  await expect(nameOf(page, '300')).toBeInViewport()
  // In the text, these keys belong to it.
  await press(page, 'Home', 'ArrowRight', 'ArrowLeft')
  await expect(nameOf(page, '300')).toBeFocused()
  await press(page, 'Control+Home')
  await expect(nameOf(page, '1')).toBeFocused()
  await press(page, 'Tab')
  await expect(page.getByRole('button', { name: 'Remove 0.pdf' })).toBeFocused()
  await press(page, 'ArrowDown')
  await expect(page.getByRole('button', { name: 'Remove 1.pdf' })).toBeFocused()
  await press(page, 'ArrowLeft')
  await expect(nameOf(page, '2')).toBeFocused()
  await nameOf(page, '2').fill('not this')
  await press(page, 'Escape')
  await expect(checkbox(page, '1.pdf')).toBeFocused()
  await expect(nameOf(page, '2')).toHaveValue('1.pdf')
})

test('Shift selects all rows that a key passes, with the files of folded folders', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(
    page,
    lines(300, (index) => `https://a.test/${index}\t${index < 100 ? 'Papers' : 'Pictures'}/${index}.pdf`),
  )
  await checkbox(page, 'folder Papers').focus()
  await press(page, 'ArrowLeft')
  await expect(page.getByRole('button', { name: 'Papers 100 files' })).toHaveAttribute(
    'aria-expanded',
    'false',
  )
  await press(page, 'Shift+End')
  await expect(checkbox(page, 'Pictures/299.pdf')).toBeFocused()
  await expect(chosen(page)).toContainText('300 selected')
  await chosen(page).getByRole('button', { name: 'Select none' }).click()
  await checkbox(page, 'Pictures/299.pdf').focus()
  await press(page, 'Home', 'ArrowDown', 'ArrowDown')
  await expect(checkbox(page, 'Pictures/100.pdf')).toBeFocused()
  await press(page, 'Shift+ArrowUp', 'Shift+ArrowUp')
  await expect(checkbox(page, 'folder Papers')).toBeFocused()
  await expect(chosen(page)).toContainText('300 selected')
  await press(page, 'ArrowRight')
  await expect(checkbox(page, 'Papers/0.pdf')).toBeChecked()
  await press(page, 'ArrowDown', 'ArrowLeft')
  await expect(checkbox(page, 'folder Papers')).toBeFocused()
})

test('The focus stays in its row while the list scrolls, is filtered and changes', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(
    page,
    lines(300, (index) => `https://a.test/${index}.pdf`),
  )
  await nameOf(page, '3').focus()
  await list(page).hover()
  await page.mouse.wheel(0, 5_000)
  await expect(nameOf(page, '110')).toBeInViewport()
  await expect(nameOf(page, '3')).toBeFocused()
  await press(page, 'ArrowDown')
  await expect(nameOf(page, '4')).toBeFocused()
  await expect(nameOf(page, '4')).toBeInViewport()

  // The row is gone: the one in its place is in the tab order.
  await press(page, 'Tab', 'Enter')
  await expect(page.getByRole('button', { name: 'Remove 4.pdf' })).toBeFocused()
  await filter(page).fill('29')
  await expectNames(page, [
    '29.pdf',
    '129.pdf',
    '229.pdf',
    ...Array.from({ length: 10 }, (_, at) => `29${at}.pdf`),
  ])
  await press(page, 'Tab')
  // Past the actions for what is shown.
  await tabInto(page, list(page))
  await expect(fileRows(page).locator(':focus')).toHaveAttribute('type', 'checkbox')
})

test('The links of a page that is looked into are one stop of Tab, too', async ({ page, holdall }) => {
  const links = lines(400, (index) => `<a href="${index}.pdf">Report ${index}</a>`)
  await using site = startSite({ '/reports': `<title>Reports</title>${links}` })
  await signInByLink(page, holdall)
  await pasteLinks(page, site.url('/reports'))
  await page.getByRole('button', { name: 'Look inside' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text or pattern').focus()
  await press(page, 'Tab')
  await expect(dialog.getByRole('checkbox', { name: 'Report 0' })).toBeFocused()
  await press(page, 'End')
  await expect(dialog.getByRole('checkbox', { name: 'Report 399' })).toBeFocused()
  await press(page, 'Space')
  await expect(dialog.getByRole('checkbox', { name: 'Report 399' })).not.toBeChecked()
  await press(page, 'Tab')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
})

test('The files of an archive are one stop of Tab, too, and keys lead to their controls', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const urls = Array.from({ length: 80 }, (_, index) => origin.url(`/bytes/10/${index}.txt`))
  const id = await client.createJob({ urls })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  const table = page.getByRole('table', { name: 'Files' })
  const file = (name: string) => table.getByRole('button', { name, exact: true })
  await expect(file('0.txt')).toBeVisible()
  await table.getByRole('button', { name: 'Status' }).focus()
  await press(page, 'Tab')
  await expect(file('0.txt')).toBeFocused()
  await press(page, 'ArrowDown')
  await expect(file('1.txt')).toBeFocused()
  await press(page, 'End')
  await expect(file('79.txt')).toBeFocused()
  await press(page, 'Tab')
  await expect(table.locator(':focus')).toHaveCount(0)
  await press(page, 'Shift+Tab')
  await expect(file('79.txt')).toBeFocused()
  await press(page, 'Home')
  await expect(file('0.txt')).toBeFocused()
  await press(page, 'Enter')
  await expect(page.getByRole('dialog')).toContainText('0.txt')
})

test('The files of a shared archive are one stop of Tab, too, and keys fold its folders', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInOwner(holdall)
  const named = (filename: string) => ({ url: origin.url(`/bytes/10/${filename}`), filename })
  const numbered = Array.from({ length: 120 }, (_, index) => `${index}.txt`)
  const names = ['papers/a.txt', 'papers/b.bin', ...numbered.map((name) => `rest/${name}`)]
  const { share_url } = await client.untilEnded(await client.createJob({ files: names.map(named) }))
  await page.goto(share_url ?? '')
  const papers = page.getByRole('button', { name: 'papers 2 files' })
  const rest = page.getByRole('button', { name: 'rest 120 files' })
  await expect(rest).toHaveAttribute('aria-expanded', 'false')
  const select = page.getByRole('button', { name: 'Select', exact: true })
  await select.focus()
  await press(page, 'Tab')
  await expect(papers).toBeFocused()
  await press(page, 'ArrowRight', 'ArrowRight')
  await expect(page.getByRole('button', { name: 'a.txt', exact: true })).toBeFocused()
  await press(page, 'ArrowRight')
  await expect(page.getByRole('link', { name: 'Download a.txt' })).toBeFocused()
  await press(page, 'ArrowDown')
  await expect(page.getByRole('link', { name: 'Download b.bin' })).toBeFocused()
  await press(page, 'Home', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowLeft')
  await expect(papers).toBeFocused()
  await press(page, 'ArrowLeft')
  await expect(papers).toHaveAttribute('aria-expanded', 'false')
  // At the last row that is shown, the list grows.
  await press(page, 'ArrowDown', 'ArrowRight', 'End')
  const name = (file: string) => page.getByRole('button', { name: file, exact: true })
  await expect(async () => {
    await press(page, 'End')
    await expect(name('119.txt')).toBeFocused({ timeout: 100 })
  }).toPass()
  await expect(name('119.txt')).toBeInViewport()
  await press(page, 'Tab', 'Tab')
  await expect(page.getByRole('region', { name: 'Files' }).locator(':focus')).toHaveCount(0)
  await press(page, 'Shift+Tab', 'Shift+Tab', 'Shift+Tab')
  await expect(select).toBeFocused()
})

test('The archives are one stop of Tab, too, and their menus keep the keys of menus', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  for (let number = 1; number <= 4; number += 1)
    await client.untilEnded(
      await client.createJob({ urls: [origin.url('/bytes/10/a.txt')], zip_filename: `number-${number}` }),
    )
  await page.goto(`${holdall.address}/archives`)
  const archive = (number: number) => page.getByRole('link', { name: `number-${number}.zip`, exact: true })
  const menuOf = (number: number) => page.getByRole('button', { name: `Actions for number-${number}.zip` })
  await archive(4).focus()
  await press(page, 'ArrowDown')
  await expect(archive(3)).toBeFocused()
  await press(page, 'End')
  await expect(archive(1)).toBeFocused()
  await press(page, 'Tab', 'Tab')
  await expect(menuOf(1)).toBeFocused()
  await press(page, 'Tab')
  await expect(page.getByRole('main').locator('li :focus')).toHaveCount(0)
  await press(page, 'Shift+Tab', 'ArrowDown')
  await expect(page.getByRole('menu')).toBeVisible()
  await press(page, 'ArrowDown', 'Escape')
  await expect(menuOf(1)).toBeFocused()
  await press(page, 'Home')
  await expect(menuOf(4)).toBeFocused()
  await press(page, 'Escape')
  await expect(archive(4)).toBeFocused()
})

/** Presses Tab until the focus is in an element. */
async function tabInto(page: Page, target: Locator) {
  for (let stop = 0; stop < 8 && (await target.locator(':focus').count()) === 0; stop += 1)
    await press(page, 'Tab')
}

async function press(page: Page, ...keys: readonly string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n')
}
