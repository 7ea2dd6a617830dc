import type { Page } from 'playwright/test'

/**
 * Records what somebody does in a page: "Pack 3 files" for a click on that button, "paste" for Ctrl+V. What a script does is no step.
 */
export async function recordSteps(page: Page): Promise<readonly string[]> {
  const steps: string[] = []
  await page.exposeBinding('recordStep', (_source, step: string) => void steps.push(step))
  await page.addInitScript(RECORD)
  await page.evaluate(RECORD)
  return steps
}

/** Pastes as Ctrl+V does, out of the clipboard of the browser. */
export async function pasteByKeys(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('ControlOrMeta+v')
}

/** A press on a label is one step, although its control is clicked, too. */
const RECORD = `(() => {
  const nameOf = (target) => {
    const control = target.closest('button, a, label') ?? target
    return control.getAttribute('aria-label') ?? control.innerText.trim()
  }
  const record = (step) => (event) => { if (event.isTrusted) recordStep(step(event)) }
  addEventListener('pointerdown', record(({ target }) => nameOf(target)), true)
  addEventListener('paste', record(() => 'paste'), true)
})()`
