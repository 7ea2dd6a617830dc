import type { Page } from 'playwright/test'
import type { Copy } from './copy.ts'

/** A screen and how to open it. */
export interface Screen {
  readonly name: string
  readonly path: string
  /** Who opens it: by default the user with the archives. */
  readonly as?: 'new-user' | 'signed-out'
  /** The screen shows a menu, a dialog or a toast above the page. */
  readonly isOverlay?: boolean
  /** Texts of the errors that the browser reports because requests of this screen fail on purpose. */
  readonly expectedErrors?: readonly string[]
  /** Brings the page into the state to show, by what its controls are called in its language. */
  readonly prepare?: (page: Page, copy: Copy) => Promise<void>
}

export async function waitForRows(page: Page) {
  await page.getByRole('main').getByRole('listitem').first().waitFor()
}
