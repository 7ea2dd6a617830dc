import { expect, type Locator } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { copiedBy } from './clipboard.ts'
import {
  createdJob,
  dropFile,
  expectNames,
  expectText,
  fileRows,
  linkBox,
  packButton,
  pasteLinks,
  typeLinks,
} from './link-steps.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { signInByLink } from './sign-in-steps.ts'

const A = 'https://a.test/report.pdf'
const B = 'https://b.test/Report.pdf'

test('A paste anywhere on the page becomes the list of files: names, hosts, duplicates and ignored lines', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await page.getByRole('link', { name: 'All archives' }).focus()
  await pasteLinks(page, `Hello,\nsee ${A} and ${B}.\nftp://a.test/x\n${A}`)

  await expectNames(page, ['report.pdf', 'Report (2).pdf', 'report (3).pdf'])
  await expect(fileRows(page).first()).toContainText('a.test')
  await expect(fileRows(page).last()).toContainText('Duplicate')
  await expect(page.getByText('3 files1 duplicate')).toBeVisible()
  await page.getByText('2 lines of text ignored').click()
  await expect(page.getByText('Hello,', { exact: true })).toBeVisible()
  await expect(page.getByText('ftp isn’t supported (http and https only)')).toBeVisible()
  await expect(page.getByRole('img', { name: /^Map of 3 files/ })).toBeVisible()
  await page.getByRole('button', { name: 'Merge duplicates' }).click()
  await expectNames(page, ['report.pdf', 'Report (2).pdf'])
})

test('Names and folders can be edited in place, and rows removed, and each step undone', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, `${A}\n${B}`)
  const name = page.getByRole('textbox', { name: 'Name of file 1' })
  await name.fill('papers/first.pdf')
  await name.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name of file 2' })).toBeFocused()
  await page.getByRole('button', { name: 'Remove Report.pdf' }).click()
  await expectNames(page, ['first.pdf'])
  await expect(page.getByRole('button', { name: 'papers 1 file' })).toHaveAttribute('aria-expanded', 'true')

  await page.getByRole('button', { name: 'Edit as text' }).click()
  await expectText(page, `${A}\tpapers/first.pdf`)
  await linkBox(page).press('ControlOrMeta+z')
  await expectNames(page, ['first.pdf'])
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('ControlOrMeta+z')
  await expectNames(page, ['first.pdf', 'Report.pdf'])
  await page.keyboard.press('ControlOrMeta+z')
  await expectNames(page, ['report.pdf', 'Report (2).pdf'])
  await page.keyboard.press('ControlOrMeta+z')
  await expectText(page, '')
})

test('A name that is being typed stays while links are added, and Ctrl+Enter packs with it', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, B)
  const name = page.getByRole('textbox', { name: 'Name of file 1' })
  await name.fill('draft.pdf')
  await dropFile(
    page,
    'main',
    'more.txt',
    `${A}
https://c.test/three.txt`,
  )
  await expect(fileRows(page)).toHaveCount(3)
  // The names are numbered now, which they are only after a while.
  await expect(page.getByRole('textbox', { name: 'Name of file 2' })).toHaveValue('report (2).pdf')
  await expect(name).toHaveValue('draft.pdf')
  const job = await createdJob(page, () => name.press('Control+Enter'))
  expect(job.files?.map(({ filename }) => filename)).toEqual(['draft.pdf', undefined, undefined])
})

test('Edited as text and shown as a list again, the links keep what was done to them', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  const text = `Hi, the files: ${A},\nand [here](${B})!`
  await pasteLinks(page, text)
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await expectText(page, text)
  await linkBox(page).fill(`${text}\nhttps://c.test/three.txt`)
  await page.getByRole('button', { name: 'Show as list' }).click()
  await expectNames(page, ['report.pdf', 'Report (2).pdf', 'three.txt'])
})

test('A long text is edited as in every text field: lines are joined, copied and removed, and this undone', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  const lines = Array.from({ length: 451 }, (_, index) =>
    index % 50 === 49 ? '' : `https://a.test/${index}`,
  )
  await pasteLinks(page, lines.join('\n'))
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await expectText(page, lines.join('\n'))
  const box = linkBox(page)
  await box.press('ControlOrMeta+Home')
  for (let line = 0; line < 201; line++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Backspace')
  const joined = lines.toSpliced(200, 2, `${lines[200]}${lines[201]}`)
  await expectText(page, joined.join('\n'))
  await page.keyboard.press('ControlOrMeta+z')
  await expectText(page, lines.join('\n'))
  await page.keyboard.press('Backspace')
  await expectText(page, joined.join('\n'))
  await page.keyboard.press('ControlOrMeta+a')
  expect(await copiedBy(page, () => page.keyboard.press('ControlOrMeta+c'))).toBe(joined.join('\n'))
  await page.keyboard.press('Delete')
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(packButton(page)).toHaveText('Pack 442 files')
})

test('Hosts without https:// become links only when the user says so', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, `www.c.test/x.pdf\n${A}`)
  await expectNames(page, ['report.pdf'])
  await page.getByRole('button', { name: 'Add https://' }).click()
  await expectNames(page, ['x.pdf', 'report.pdf'])
})

test('File names and folders of a pasted table are used in the archive', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await signInByLink(page, holdall)
  const [first, second] = [origin.url('/bytes/100/a.bin'), origin.url('/bytes/100/b.bin')]
  await pasteLinks(page, `url,folder,name\n${first},"Papers, old",first.bin\n${second},,`)
  await expectNames(page, ['first.bin', 'b.bin'])
  await expect(fileRows(page).first()).toContainText('Papers, old1 file')

  const job = await createdJob(page, () => page.keyboard.press('Control+Enter'))
  expect(job.files).toEqual([{ url: first, filename: 'Papers, old/first.bin' }, { url: second }])
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
})

test('A copied part of a web page gives its links, with the names that they show', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, 'final.pdf and more', `<a href="${A}">final.pdf</a> and <a href="${B}">more</a>`)
  await expectNames(page, ['final.pdf', 'Report.pdf'])
})

test('The texts of links are offered as names, as far as they tell files apart', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  const links = ['One: annual report', 'Download', 'Download', 'named.pdf'].map(
    (text, at) => `<a href="https://a.test/${at}.pdf">${text}</a>`,
  )
  await pasteLinks(page, 'One', links.join('\n'))
  await expectNames(page, ['0.pdf', '1.pdf', '2.pdf', 'named.pdf'])
  await page.getByRole('button', { name: 'Name by link text' }).click()
  await expectNames(page, ['One_ annual report.pdf', '1.pdf', '2.pdf', 'named.pdf'])
  await expect(page.getByRole('button', { name: 'Name by link text' })).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectNames(page, ['0.pdf', '1.pdf', '2.pdf', 'named.pdf'])
})

test('Dropping a list or a web page anywhere adds its links, and a picture is refused', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await dropFile(page, 'h1', 'list.txt', 'https://a.test/one\r\nhttps://a.test/two\r\n')
  await expectNames(page, ['one', 'two'])
  await dropFile(
    page,
    'footer, main',
    'page.html',
    '<a href="https://a.test/three">Three</a> <a href="#x">x</a>',
  )
  await expectNames(page, ['one', 'two', 'three'])
  await dropFile(page, 'main', 'photo.png', '\u0089PNG\r\n\u001a\n\u0000\u0000')
  await expect(page.getByRole('alert')).toContainText('photo.png is not a list of links.')
  await expectNames(page, ['one', 'two', 'three'])
})

test('A text without links, and a file that is not a list, leave the box as it is and say so', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, 'Dear Tom,\nno links today.')
  await expect(page.getByRole('alert')).toHaveText('No links in that text')
  await expect(linkBox(page)).toBeVisible()
  await expect(packButton(page)).toBeHidden()
  await pasteLinks(page, 'ftp://a.test/x')
  await expect(page.getByRole('alert')).toHaveText(/^No links in that text: ftp isn’t supported/)
  await dropFile(page, 'main', 'bild.png', '\u0089PNG\r\n\u001a\n\u0000\u0000')
  await expect(page.getByRole('alert')).toContainText('bild.png is not a list of links.')
  await dropFile(page, 'main', 'notes.txt', 'no links either')
  await expect(page.getByRole('alert')).toContainText('notes.txt is not a list of links.')
  await expect(linkBox(page)).toBeVisible()
  await typeLinks(page, 'words')
  await expect(page.getByRole('status').filter({ hasText: 'No links in that text' })).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(packButton(page)).toBeHidden()
})

test('A file with links can be chosen', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).click(),
  ])
  await chooser.setFiles({
    name: 'links.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`name;url\nBücher.pdf;${A}`, 'latin1'),
  })
  await expectNames(page, ['Bücher.pdf'])
})

test('Dragging a selection inside the text moves it, as everywhere else', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await typeLinks(page, `${A} ${B}`)
  const isPrevented = await page.evaluate(`(() => {
    const box = document.querySelector('[contenteditable]')
    const send = (type) => {
      const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() })
      box.dispatchEvent(event)
      return event.defaultPrevented
    }
    send('dragstart')
    return send('dragover') || send('drop')
  })()`)
  expect(isPrevented).toBe(false)
  await expectText(page, `${A} ${B}`)
})

test('At 320 px, files and options fit, and the pack button stays in the window', async ({
  page,
  holdall,
}) => {
  await page.setViewportSize({ width: 320, height: 600 })
  await signInByLink(page, holdall)
  await pasteLinks(
    page,
    `${A}\nhttps://a-very-long-host-name.example.org/with/a/very-long-name-of-a-file-that-does-not-fit.pdf`,
  )
  await expect(packButton(page)).toBeInViewport()
  await page.getByText('Options', { exact: true }).click()
  await expect(packButton(page)).toBeInViewport()
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})

test('Beside a map that is higher, the list goes down to the end of the card, and a key leads to no row below the window', async ({
  page,
  holdall,
}) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await signInByLink(page, holdall)
  const links = Array.from({ length: 60 }, (_, index) => `https://host-${index % 9}.test/${index}.pdf`)
  await pasteLinks(page, links.join('\n'))
  const bottomOf = async (element: Locator) => {
    const box = await element.boundingBox()
    return box === null ? 0 : box.y + box.height
  }
  const list = page.getByRole('region', { name: 'Files', exact: true })
  const map = page.getByRole('img', { name: /^Map of 60 files/ })
  await expect.poll(async () => (await bottomOf(list)) - (await bottomOf(map))).toBeGreaterThan(0)
  const last = fileRows(page).last().getByRole('textbox')
  await fileRows(page).first().getByRole('textbox').press('Control+End')
  await expect(last).toHaveValue('59.pdf')
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport()
  // Above the bar at the bottom of the window.
  const topOfButton = async () => (await packButton(page).boundingBox())?.y ?? 0
  await expect.poll(async () => (await topOfButton()) - (await bottomOf(last))).toBeGreaterThan(0)
})

test('Titles of a table keep the kinds of their links, and a typed folder keeps the name', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, 'title,url\nAnnual report,https://a.test/one.pdf\nThe view,https://a.test/two.jpg')
  const kinds = page.getByRole('list', { name: 'Kinds of files' })
  await expect(kinds).toContainText('1 document')
  await expect(kinds).toContainText('1 image')
  await expect(kinds).not.toContainText('other')
  const name = page.getByRole('textbox', { name: 'Name of file 1' })
  await name.fill('Papers/')
  await name.press('Enter')
  await expect(name).toHaveValue('Annual report')
  await expect(page.getByRole('button', { name: 'Remove Papers/Annual report' })).toBeVisible()
  // A folder in the folder.
  await name.fill('2026/')
  await name.blur()
  await expect(name).toHaveValue('Annual report')
  await expect(page.getByRole('button', { name: 'Remove Papers/2026/Annual report' })).toBeVisible()
})

test('The start page asks once who is signed in', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  let requests = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/me') requests += 1
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your archives will appear here' })).toBeVisible()
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await expect(page.getByRole('menuitem', { name: 'Users' })).toBeVisible()
  expect(requests).toBe(1)
})

test('What the service refuses in an archive is listed once, under a sentence that says so', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow('400')
  await signInByLink(page, holdall)
  await pasteLinks(page, A)
  await page.getByRole('textbox', { name: 'Archive name' }).fill('reports/2026')
  await packButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    'This archive can’t be created as it is:A file name can’t contain / or \\.',
  )
})
