import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from 'playwright/test'

/** WCAG 2.2 levels A and AA, and axe's best practices. */
export const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules of these that depend on colours. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

export async function loadAxe(page: Page): Promise<void> {
  // `page.evaluate` parses what it is given twice before it sends it.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: AXE })
  await session.detach()
}

/**
 * Of what is shown above the page, if that is a dialog or a menu: the page behind it is a screen of its own.
 *
 * @param rules tags or names of rules, in a page that has loaded axe
 */
export async function violations(page: Page, rules: readonly string[]): Promise<readonly string[]> {
  // The colours of a theme that has just been chosen appear by transitions, and a dialog that has just been opened fades in.
  await page.evaluate(`
    for (const animation of document.getAnimations())
      if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish()
  `)
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'], selectors: false })
  const { passCount, found } =
    await page.evaluate<Outcome>(`axe.run(${SHOWN_ABOVE} ?? document, ${options}).then(({ passes, violations }) => ({
    passCount: passes.length,
    found: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
  }))`)
  expect(passCount).toBeGreaterThan(0)
  return found
}

const SHOWN_ABOVE = `[...document.querySelectorAll('dialog:modal, [popover]:popover-open')].at(-1)`

interface Outcome {
  readonly passCount: number
  readonly found: readonly string[]
}

/** Each page compiles it, and the minified script is half as long. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
