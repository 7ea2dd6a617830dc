import type { Page } from 'playwright/test'

/** Focuses each control, and lists those whose ring an ancestor with hidden overflow or the window cuts off on any side. */
export async function cutOffRings(page: Page): Promise<string[]> {
  // From now on, focus that a script moves is visible, too.
  await page.keyboard.press('Tab')
  return await page.evaluate(CUT_OFF_RINGS)
}

const CUT_OFF_RINGS = `(() => {
  const found = []
  const controls = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')
  for (const control of controls) {
    if (!control.checkVisibility()) continue
    control.focus()
    if (document.activeElement !== control) continue
    control.scrollIntoView({ block: 'center', inline: 'center' })
    const { boxShadow } = getComputedStyle(control)
    if (boxShadow === 'none' || boxShadow.includes('inset')) continue
    const widthPx = Math.max(...[...boxShadow.matchAll(/0px 0px 0px (\\d+)px/g)].map((ring) => Number(ring[1])))
    const box = control.getBoundingClientRect()
    for (let parent = control.parentElement; parent; parent = parent.parentElement) {
      const { overflowX } = getComputedStyle(parent)
      const isWindow = parent === document.documentElement
      if (overflowX === 'visible' && !isWindow) continue
      const outer = parent.getBoundingClientRect()
      const left = isWindow ? 0 : outer.left + parent.clientLeft
      const right = isWindow ? innerWidth : left + parent.clientWidth
      const top = isWindow ? 0 : outer.top + parent.clientTop
      const bottom = isWindow ? innerHeight : top + parent.clientHeight
      const isCutAside = box.left - widthPx < left - 0.5 || box.right + widthPx > right + 0.5
      // What is larger than its window is scrolled, and never wholly in view.
      const isCutAbove = box.height < bottom - top && (box.top - widthPx < top - 0.5 || box.bottom + widthPx > bottom + 0.5)
      if (isCutAside || isCutAbove) {
        found.push((control.textContent || control.ariaLabel || control.tagName).trim().slice(0, 40))
        break
      }
    }
  }
  return found
})()`
