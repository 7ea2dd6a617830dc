import { expect, type Page } from 'playwright/test'

/** The large target for links, as long as it is empty or its text is edited. */
export function linkBox(page: Page) {
  return page.getByRole('textbox', { name: 'Paste, drop or type links' })
}

/** Waits until the box shows exactly this text, line by line. */
export async function expectText(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate("document.querySelector('[data-link-box]')?.innerText")).toBe(text)
}

/** Types links, which stay a text. */
export async function typeLinks(page: Page, text: string): Promise<void> {
  await linkBox(page).fill(text)
}

/** Pastes a text on the page, as Ctrl+V does wherever the focus is. */
export async function pasteLinks(page: Page, text: string, html = ''): Promise<void> {
  await untilTaking(page)
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    clipboardData.setData('text/html', ${JSON.stringify(html)})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  })()`)
}

/** Drops a file on an element of the page. */
export async function dropFile(page: Page, selector: string, name: string, text: string): Promise<void> {
  await untilTaking(page)
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
    return transfer
  })()`)
  await page.locator(selector).first().dispatchEvent('drop', { dataTransfer: transfer })
}

/** What is pasted or dropped before the page has its controls is lost. */
async function untilTaking(page: Page): Promise<void> {
  await page.locator('main input[type="file"]').first().waitFor({ state: 'attached' })
}

export function packButton(page: Page) {
  return page.getByRole('button', { name: /^Pack / })
}

/** The rows of the recognised files that are in view. */
export function fileRows(page: Page) {
  return page.getByRole('region', { name: 'Files' }).getByRole('listitem')
}

/** The names of the recognised files that are in view. */
export async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  const fields = fileRows(page).getByRole('textbox')
  await expect(fields).toHaveCount(names.length)
  for (const [index, name] of names.entries()) await expect(fields.nth(index)).toHaveValue(name)
}

/** Waits for the request that creates an archive, and returns its body. */
export async function createdJob(
  page: Page,
  action: () => Promise<unknown>,
): Promise<{ urls?: string[]; files?: { url: string; filename?: string }[]; zip_filename?: string }> {
  const [request] = await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/jobs')),
    action(),
  ])
  return request.postDataJSON()
}
