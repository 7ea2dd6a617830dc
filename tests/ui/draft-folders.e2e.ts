import { expect, type Page } from 'playwright/test'
import { test } from './browser-test.ts'
import { createdJob, expectNames, fileRows, packButton, pasteLinks } from './link-steps.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { signInByLink } from './sign-in-steps.ts'

const LINKS = [
  'https://a.test/1\tPapers/one.pdf',
  'https://a.test/2\ttwo.pdf',
  'https://a.test/3\tPapers/2026/three.pdf',
  'https://a.test/4\tPictures/four.jpg',
  'https://a.test/5\tPapers/five.pdf',
].join('\n')

const folder = (page: Page, name: string) =>
  fileRows(page).getByRole('button', { name: new RegExp(`^${name} \\d`) })
const checkbox = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const chosen = (page: Page) => page.getByRole('group', { name: 'Chosen files' })
const filter = (page: Page) => page.getByRole('searchbox', { name: 'Filter files' })
const nameOf = (page: Page, number: number) => page.getByRole('textbox', { name: `Name of file ${number}` })

test('Each folder is a row with its name and count, and stays folded while the list is edited', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, LINKS)
  await expectNames(page, ['three.pdf', 'one.pdf', 'five.pdf', 'four.jpg', 'two.pdf'])
  await expect(folder(page, 'Papers')).toHaveText('Papers3 files')
  await expect(folder(page, '2026')).toHaveText('20261 file')
  await expect(folder(page, 'Pictures')).toHaveText('Pictures1 file')
  await expect(folder(page, 'Papers')).toHaveAttribute('aria-expanded', 'true')

  await folder(page, 'Papers').click()
  await expect(folder(page, 'Papers')).toHaveAttribute('aria-expanded', 'false')
  await expectNames(page, ['four.jpg', 'two.pdf'])
  // A file goes into the folded folder, one is removed, and one is added.
  await nameOf(page, 2).fill('Papers/')
  await nameOf(page, 2).press('Enter')
  await expect(folder(page, 'Papers')).toHaveText('Papers4 files')
  await expectNames(page, ['four.jpg'])
  await page.getByRole('button', { name: 'Remove Pictures/four.jpg' }).click()
  await expect(folder(page, 'Pictures')).toHaveCount(0)
  await pasteLinks(page, 'https://a.test/6.pdf')
  await expectNames(page, ['6.pdf'])
  await expect(folder(page, 'Papers')).toHaveAttribute('aria-expanded', 'false')
  await expect(packButton(page)).toHaveText('Pack 5 files')

  // The order of the archive is that of the links.
  const job = await createdJob(page, () => packButton(page).click())
  expect(job.files?.map(({ filename }) => filename)).toEqual([
    'Papers/one.pdf',
    'Papers/two.pdf',
    'Papers/2026/three.pdf',
    'Papers/five.pdf',
    undefined,
  ])
})

test('By keyboard, folders fold with Enter, Space and Left, open with Right, and rows are reached with Up and Down', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, LINKS)
  const papers = folder(page, 'Papers')
  await papers.focus()
  for (const key of ['Enter', 'Space', 'ArrowLeft']) {
    await page.keyboard.press(key)
    await expect(papers).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('ArrowRight')
    await expect(papers).toHaveAttribute('aria-expanded', 'true')
    await expect(papers).toBeFocused()
  }
  await page.keyboard.press('ArrowRight')
  await expect(folder(page, '2026')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(nameOf(page, 3)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(folder(page, '2026')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(folder(page, '2026')).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowLeft')
  await expect(papers).toBeFocused()
})

test('The checkbox of a folder selects all that is in it, is mixed for a part of it, and takes part in ranges', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, LINKS)
  const papers = checkbox(page, 'folder Papers')
  await papers.click()
  await expect(papers).toBeChecked()
  await expect(checkbox(page, 'folder Papers/2026')).toBeChecked()
  await expect(chosen(page)).toContainText('3 selected')
  await checkbox(page, 'Papers/2026/three.pdf').click()
  await expect(papers).not.toBeChecked()
  await expect(papers).toBeChecked({ indeterminate: true })
  await expect(checkbox(page, 'folder Papers/2026')).not.toBeChecked()
  await papers.click()
  await expect(papers).toBeChecked()
  await papers.click()
  await expect(papers).not.toBeChecked()
  await expect(chosen(page)).toBeHidden()

  // A range across a folded folder has its files, too.
  await folder(page, 'Pictures').click()
  await checkbox(page, 'Papers/five.pdf').click()
  await checkbox(page, 'two.pdf').click({ modifiers: ['Shift'] })
  await expect(chosen(page)).toContainText('3 selected')
  await expect(checkbox(page, 'folder Pictures')).toBeChecked()
  await checkbox(page, 'folder Papers').focus()
  await page.keyboard.press('Shift+Space')
  await expect(chosen(page)).toContainText('5 selected')
})

test('What a filter finds is shown, also in a folded folder, which stays folded after that; so is a file of the map', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, LINKS)
  await folder(page, 'Papers').click()
  await filter(page).fill('three')
  await expectNames(page, ['three.pdf'])
  await expect(folder(page, 'Papers')).toHaveText('Papers1 file')
  await folder(page, 'Papers').click()
  await expectNames(page, [])
  await filter(page).fill('one')
  await expectNames(page, ['one.pdf'])
  await chosen(page).getByRole('button', { name: 'Show all' }).click()
  await expectNames(page, ['four.jpg', 'two.pdf'])
  await expect(folder(page, 'Papers')).toHaveAttribute('aria-expanded', 'false')

  // The first cell of the map is that of the first link.
  await page.getByRole('img', { name: /^Map of 5 files/ }).click({ position: { x: 5, y: 5 } })
  await expect(nameOf(page, 1)).toBeFocused()
  await expect(folder(page, 'Papers')).toHaveAttribute('aria-expanded', 'true')
})

test('All folders are folded and opened at once, where there are several, with the folders in them', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, 'https://a.test/0\tPapers/zero.pdf')
  await expectNames(page, ['zero.pdf'])
  const foldAll = page.getByRole('button', { name: 'Fold all folders', exact: true })
  const unfoldAll = page.getByRole('button', { name: 'Unfold all folders', exact: true })
  await expect(foldAll).toHaveCount(0)
  await pasteLinks(page, LINKS)
  await expectNames(page, ['three.pdf', 'zero.pdf', 'one.pdf', 'five.pdf', 'four.jpg', 'two.pdf'])
  await foldAll.press('Enter')
  await expectNames(page, ['two.pdf'])
  await expect(folder(page, 'Papers')).toHaveAttribute('aria-expanded', 'false')
  await expect(unfoldAll).toBeFocused()
  // A folder in a folded one stays folded.
  await folder(page, 'Papers').click()
  await expect(folder(page, '2026')).toHaveAttribute('aria-expanded', 'false')
  await expectNames(page, ['zero.pdf', 'one.pdf', 'five.pdf', 'two.pdf'])
  await foldAll.click()
  await unfoldAll.click()
  await expectNames(page, ['three.pdf', 'zero.pdf', 'one.pdf', 'five.pdf', 'four.jpg', 'two.pdf'])
})

test('The focus and a press stay with their file when a typed name moves a file to a folder', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, ['a', 'b', 'c', 'd'].map((name) => `https://a.test/${name}.pdf`).join('\n'))
  await nameOf(page, 2).fill('Papers/')
  await nameOf(page, 2).press('Enter')
  await expect(nameOf(page, 3)).toBeFocused()
  await nameOf(page, 3).fill('Papers/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Remove Papers/c.pdf' })).toBeFocused()
  await nameOf(page, 4).fill('Papers/')
  // The press on the button moves the rows, so that another file is below the pointer when it ends.
  await page.getByRole('button', { name: 'Remove a.pdf' }).hover()
  await page.mouse.down()
  await page.mouse.up()
  await expectNames(page, ['b.pdf', 'c.pdf', 'd.pdf', 'a.pdf'])
})

test('At 320 px, names in deep folders can be read and everything is in the window', async ({
  page,
  holdall,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signInByLink(page, holdall)
  await pasteLinks(page, 'https://a.test/x\ta/b/c/d/e/f/deep.pdf')
  await expectNames(page, ['deep.pdf'])
  const field = await nameOf(page, 1).boundingBox()
  expect(field?.width).toBeGreaterThan(80)
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})
