import { expect, type Page } from 'playwright/test'

/** What an action copies. A page writes to the clipboard in the background, so this waits until something is there. */
export async function copiedBy(page: Page, action: () => Promise<unknown>): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText('')`)
  await action()
  const read = () => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(read).not.toBe('')
  return await read()
}
