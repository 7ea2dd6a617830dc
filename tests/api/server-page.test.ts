import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../server/config/config.ts'
import { expectSelfContained } from '../support/docs-page.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { startService } from '../support/service.ts'

const FLAG = /--[a-z][a-z-]*/g
const DEPLOY_DIR = join(import.meta.dir, '../../server/deploy')
const service = forFile(await startService())
const page = await (await fetch(`${service.origin}/docs/running-on-a-server`)).text()

describe('The page on servers', () => {
  test('shows every file of server/deploy/ as it is', () => {
    const names = readdirSync(DEPLOY_DIR).filter((name) => !name.endsWith('.ts'))
    expect(names.length).toBe(5)
    for (const name of names)
      expect(page).toContain(Bun.escapeHTML(readFileSync(join(DEPLOY_DIR, name), 'utf8')))
  })

  test('names only settings and flags that exist', async () => {
    const { stdout } = await runCommand(['--help'])
    const known = [...Object.values(SETTINGS).map(({ env }): string => env), ...(stdout.match(FLAG) ?? [])]
    // Of the files and commands, only those lines that run Holdall: others have flags of other programs.
    const ownText = page.replace(
      /<pre.*?<\/pre>/gs,
      (text) => text.match(/(?:^|<code>)holdall .*$/gm)?.join() ?? '',
    )
    const named = [...(page.match(/HOLDALL_\w+/g) ?? []), ...(ownText.match(FLAG) ?? [])]
    expect(named).toContain('--archive-store-proxy')
    expect(named).toContain('--end-links')
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  test('is linked from the API reference, loads nothing from other origins, and its links lead somewhere', async () => {
    expect(await (await fetch(`${service.origin}/docs`)).text()).toContain('href="/docs/running-on-a-server"')
    await expectSelfContained(service.origin, page)
  })
})
