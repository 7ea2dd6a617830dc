import { expect, type Page } from 'playwright/test'

/**
 * Chooses an item of the menu of the account, as the owner. Some items are there only when the service has said who is signed in: then
 * those below move, and a press that has begun on one of them ends on another.
 */
export async function chooseFromMenu(
  page: Page,
  name: string,
  role: 'menuitem' | 'menuitemradio' = 'menuitem',
): Promise<void> {
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await expect(page.getByRole('menuitem', { name: 'Service' })).toBeVisible()
  await page.getByRole(role, { name }).click()
}
