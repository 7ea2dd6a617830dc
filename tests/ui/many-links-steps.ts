import { expect, type Page } from 'playwright/test'
import { packButton } from './link-steps.ts'

/** Half of the links repeat the other half, as far as they have no names. */
export function textOf(count: number, nameOf?: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => {
    const url = `https://a.test/files/${index % (count / 2)}/photo.jpg`
    return nameOf === undefined ? url : `${url}\t${nameOf(index)}`
  }).join('\n')
}

/** What the button says, or the message that there are more links than one archive holds. */
export async function expectCount(page: Page, count: number): Promise<void> {
  if (count <= MAX_LINKS) await expect(packButton(page)).toHaveText(`Pack ${number(count)} files`)
  else await expect(page.getByText(`${number(count - MAX_LINKS)} too many`)).toBeVisible()
}

const MAX_LINKS = 5_000
/** As the page shows it. */
export const number = (value: number) => value.toLocaleString('en-US')
