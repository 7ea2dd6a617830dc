import { expect, type Page } from 'playwright/test'
import { test } from './browser-test.ts'
import { createdJob, expectNames, fileRows, packButton, pasteLinks } from './link-steps.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { signInByLink } from './sign-in-steps.ts'

const LINKS = [
  'https://a.test/one.pdf',
  'https://a.test/two.jpg',
  'https://b.test/three.pdf',
  'https://b.test/four%20leaves.jpg',
  'https://c.test/five.mp3',
]

const kind = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Kinds of files' }).getByRole('button', { name })
const host = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Hosts' }).getByRole('button', { name })
const chosen = (page: Page) => page.getByRole('group', { name: 'Chosen files' })
const action = (page: Page, name: string) => chosen(page).getByRole('button', { name })
const checkbox = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const filter = (page: Page) => page.getByRole('searchbox', { name: 'Filter files' })

test('The kinds and hosts of the legend show only their files, which are kept or removed, and this undone', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, LINKS.join('\n'))
  await kind(page, '2 images').click()
  await expectNames(page, ['two.jpg', 'four leaves.jpg'])
  await kind(page, '2 documents').click()
  await host(page, 'b.test').click()
  await expectNames(page, ['three.pdf', 'four leaves.jpg'])
  await expect(chosen(page)).toContainText('2 of 5 shown')
  await expect(packButton(page)).toHaveText('Pack 5 files')
  await action(page, 'Remove').click()
  await expectNames(page, ['one.pdf', 'two.jpg', 'five.mp3'])
  await expect(chosen(page)).toBeHidden()
  await expect(page.getByRole('checkbox', { name: 'Select all files that are shown' })).toBeFocused()
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  await expect(fileRows(page)).toHaveCount(5)

  await kind(page, '2 images').click()
  await action(page, 'Only these').click()
  await expectNames(page, ['two.jpg', 'four leaves.jpg'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect(fileRows(page)).toHaveCount(5)
})

test('The filter finds files by their names and addresses, and files of the map are always shown', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, LINKS.join('\n'))
  await filter(page).fill('FOUR L')
  await expectNames(page, ['four leaves.jpg'])
  await expect(page.getByRole('textbox', { name: 'Name of file 4' })).toHaveValue('four leaves.jpg')
  await filter(page).fill('b.test')
  await expectNames(page, ['three.pdf', 'four leaves.jpg'])
  // The first cell of the map is that of the first file.
  await page.getByRole('img', { name: /^Map of 5 files/ }).click({ position: { x: 5, y: 5 } })
  await expect(page.getByRole('textbox', { name: 'Name of file 1' })).toBeFocused()
  await expect(fileRows(page)).toHaveCount(5)
  await expect(filter(page)).toHaveValue('')
  await filter(page).fill('nothing')
  await expect(fileRows(page)).toHaveCount(0)
  await action(page, 'Show all').click()
  await expect(fileRows(page)).toHaveCount(5)
})

test('Files are selected one by one, in ranges, and by keyboard, and moved to a folder', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, LINKS.join('\n'))
  await checkbox(page, 'two.jpg').click()
  await checkbox(page, 'four leaves.jpg').click({ modifiers: ['Shift'] })
  await expect(chosen(page)).toContainText('3 selected')
  await checkbox(page, 'three.pdf').click()
  await expect(chosen(page)).toContainText('2 selected')
  await expect(checkbox(page, 'three.pdf')).not.toBeChecked()
  await action(page, 'Move to folder…').click()
  await page
    .getByRole('textbox', { name: 'Folder' })
    .or(page.getByRole('combobox', { name: 'Folder' }))
    .fill(' Pictures/2026/ ')
  await page.keyboard.press('Enter')
  // The folder and the files in it come first.
  await expectNames(page, ['two.jpg', 'four leaves.jpg', 'one.pdf', 'three.pdf', 'five.mp3'])

  // The folder is a toggle, too.
  const folder = page.getByRole('list', { name: 'Folders' }).getByRole('button', { name: 'Pictures/2026 2' })
  await folder.click()
  await expectNames(page, ['two.jpg', 'four leaves.jpg'])
  await folder.click()
  await expect(fileRows(page).getByRole('textbox')).toHaveCount(5)

  await checkbox(page, 'Pictures/2026/two.jpg').focus()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(checkbox(page, 'Pictures/2026/four leaves.jpg')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(checkbox(page, 'one.pdf')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(checkbox(page, 'three.pdf')).toBeFocused()
  await expect(chosen(page)).toContainText('2 selected')
  await page.keyboard.press('Shift+Space')
  await expect(chosen(page)).toContainText('4 selected')
  await expect(checkbox(page, 'five.mp3')).not.toBeChecked()
  await action(page, 'Only these').click()
  await expect(fileRows(page).getByRole('textbox')).toHaveCount(4)

  const job = await createdJob(page, () => packButton(page).click())
  expect(job.files).toEqual([
    { url: LINKS[0] },
    { url: LINKS[1], filename: 'Pictures/2026/two.jpg' },
    { url: LINKS[2] },
    { url: LINKS[3], filename: 'Pictures/2026/four leaves.jpg' },
  ])
})

test('What is undone by its message comes back, also when the list was changed meanwhile', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, LINKS.join('\n'))
  await kind(page, '2 images').click()
  await action(page, 'Remove').click()
  await page.getByRole('button', { name: 'Remove one.pdf' }).click()
  await expectNames(page, ['three.pdf', 'five.mp3'])
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  await expectNames(page, ['two.jpg', 'three.pdf', 'four leaves.jpg', 'five.mp3'])
})

test('70,000 links are filtered and cut down', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await page.evaluate(`(() => {
    const lines = Array.from({ length: 70_000 }, (_, at) => 'https://h' + (at % 7) + '.test/f/' + at + (at % 2 ? '.pdf' : '.jpg'))
    const transfer = new DataTransfer()
    transfer.items.add(new File([lines.join('\\n')], 'links.txt'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  })()`)
  await expect(page.getByText('65,000 too many: an archive can hold 5,000 files.')).toBeVisible({
    timeout: 60_000,
  })
  await host(page, 'h3.test').click()
  await kind(page, '35,000 documents').click()
  await expect(chosen(page)).toContainText('5,000 of 70,000 shown')
  await action(page, 'Only these').click()
  await expect(packButton(page)).toHaveText('Pack 5,000 files')
  await filter(page).fill('/69')
  await expect(chosen(page)).toContainText(/\d+ of 5,000 shown/)
})

test('At 320 px, everything to cut a list down is in the window', async ({ page, holdall }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signInByLink(page, holdall)
  await pasteLinks(page, LINKS.join('\n'))
  await checkbox(page, 'two.jpg').click()
  for (const name of ['Only these', 'Remove', 'Move to folder…', 'Select none'])
    await expect(action(page, name)).toBeVisible()
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})
