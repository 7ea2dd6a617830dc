import { expect, type Page } from 'playwright/test'
import { type Client, signInOwner } from '../support/client.ts'
import type { Holdall } from '../support/executable.ts'

/** Signs the page in with the printed link and waits for the start page. */
export async function signInByLink(page: Page, holdall: Holdall): Promise<void> {
  await page.goto(await holdall.signInLink())
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
}

/** Signs all pages of the browser in with a key of the owner. Returns an API client with the same key. */
export async function signInByKey(page: Page, holdall: Holdall): Promise<Client> {
  const client = await signInOwner(holdall)
  // A blank page has no storage.
  await page
    .context()
    .addInitScript(`if (origin !== 'null') localStorage.setItem('holdall.key', '${client.key}')`)
  return client
}
