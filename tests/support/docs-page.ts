import { expect } from 'bun:test'
import { SETTINGS } from '../../server/config/config.ts'
import { runCommand } from './holdall-command.ts'

const FLAG = /--[a-z][a-z-]*/g

/** Expects that a page of the documentation loads nothing from other origins, and that its links lead to pages and sections. */
export async function expectSelfContained(origin: string, page: string): Promise<void> {
  expect(page.replace('<script src="/docs/search.js" defer>', '')).not.toMatch(
    /<script|\bstyle=|(?:src|href)="(?:https?:)?\/\//,
  )
  for (const [, path] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g))
    expect((await fetch(`${origin}${path}`)).status).toBe(200)
  for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(` id="${id}"`)
}

/** Expects that a page names only settings and flags that exist, these among them. */
export async function expectKnownFlags(page: string, named: readonly string[]): Promise<void> {
  const { stdout } = await runCommand(['--help'])
  const known = [...Object.values(SETTINGS).map(({ env }): string => env), ...(stdout.match(FLAG) ?? [])]
  // Of the files and commands, only those lines that run Holdall: others have flags of other programs.
  const ownText = page.replace(
    /<pre.*?<\/pre>/gs,
    (text) => text.match(/(?:^|<code>)holdall .*$/gm)?.join() ?? '',
  )
  const found = [...(page.match(/HOLDALL_\w+/g) ?? []), ...(ownText.match(FLAG) ?? [])]
  expect(found).toEqual(expect.arrayContaining([...named]))
  expect(found.filter((name) => !known.includes(name))).toEqual([])
}
