import type { Page } from 'playwright/test'

/**
 * Records what is added to the live regions of the page, which screen readers announce. A region that is added without text, as when
 * the page has loaded but shows nothing yet, is no announcement.
 */
export async function recordAnnouncements(page: Page): Promise<void> {
  await page.evaluate(`
    globalThis.announced = []
    new MutationObserver((changes) => {
      for (const { addedNodes, target } of changes) {
        const region = (target.nodeType === 1 ? target : target.parentElement)?.closest('[role=status], [role=alert]')
        for (const node of addedNodes) {
          if ((region || node.role === 'status') && node.textContent !== '') announced.push(node.textContent)
        }
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  `)
}

export function announcements(page: Page): Promise<string[]> {
  return page.evaluate('announced')
}
