import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { expect, type Page } from 'playwright/test'

/** WCAG 2.2 levels A and AA, and axe's best practices. */
export const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules of these that depend on colours. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(AXE)
}

/** @param rules tags or names of rules, in a page that has loaded axe */
export async function violations(page: Page, rules: readonly string[]): Promise<string[]> {
  // The colours of a theme that has just been chosen appear by transitions.
  await page.evaluate(
    'document.getAnimations().filter((one) => one instanceof CSSTransition).forEach((one) => one.finish())',
  )
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] })
  const { passes, violations }: AxeResults = await page.evaluate(`axe.run(${options})`)
  expect(passes.length).toBeGreaterThan(0)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Each page compiles it, and the minified script is half as long. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
