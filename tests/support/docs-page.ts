import { expect } from 'bun:test'
import { SETTINGS } from '../../server/config/config.ts'
import { runCommand } from './holdall-command.ts'

const FLAG = /--[a-z][a-z-]*/g

/** Expects that a page of the documentation loads nothing from other origins, and that its links lead to pages and sections. */
export async function expectSelfContained(origin: string, page: string): Promise<void> {
  expect(page.replaceAll(/<script src="\/docs\/(?:search|calls)\.js" defer>/g, '')).not.toMatch(
    /<script|\bstyle=|(?:src|href)="(?:https?:)?\/\//,
  )
  const paths = new Set([...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path))
  const texts = new Map<string, string>()
  for (const address of paths) {
    const { pathname, hash } = new URL(address, origin)
    const text = texts.get(pathname) ?? (await textOf(`${origin}${pathname}`))
    texts.set(pathname, text)
    if (hash !== '') expect([address, text.includes(` id="${hash.slice(1)}"`)]).toEqual([address, true])
  }
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

/** As a browser gets it, which the page of the interface needs. */
async function textOf(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  expect([url, response.status]).toEqual([url, 200])
  return await response.text()
}

/** The text of a page in the form of an HTML source, without the places for the address and the key. */
export function withoutPlaces(page: string): string {
  return page.replace(/<span data-put="[\w-]+">(.*?)<\/span>/g, '$1')
}
