import { expect } from 'bun:test'

/** Expects that a page of the documentation loads nothing from other origins, and that its links lead to pages and sections. */
export async function expectSelfContained(origin: string, page: string): Promise<void> {
  expect(page.replace('<script src="/docs/search.js" defer>', '')).not.toMatch(
    /<script|\bstyle=|(?:src|href)="(?:https?:)?\/\//,
  )
  for (const [, path] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g))
    expect((await fetch(`${origin}${path}`)).status).toBe(200)
  for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(` id="${id}"`)
}
