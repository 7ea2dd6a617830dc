import type { Page } from 'playwright/test'

/**
 * The buttons, links and headings that stick out of their card, their dialog or the page. What scrolls sideways may.
 */
export async function stickingOut(page: Page): Promise<readonly string[]> {
  return await page.evaluate(FIND)
}

const FIND = `(() => {
  const scrolls = (element) => ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX)
  const frameOf = (element) => {
    for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
      if (parent.matches('main, dialog, [role="dialog"], [class*="card"], [class*="bar"]')) return parent
      if (scrolls(parent)) return null
    }
    return document.documentElement
  }
  const sticksOut = (element) => {
    const frame = frameOf(element)
    if (frame === null || !element.checkVisibility({ visibilityProperty: true })) return false
    const [inner, outer] = [element, frame].map((each) => each.getBoundingClientRect())
    // What only screen readers show has one pixel.
    if (inner.width <= 1 || inner.height <= 1) return false
    return inner.left < outer.left - 1 || inner.right > outer.right + 1
  }
  const all = [...document.querySelectorAll('button, a, h1, h2')]
  return all.filter(sticksOut).map((element) => element.textContent || element.getAttribute('aria-label'))
})()`
