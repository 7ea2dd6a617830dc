import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectKnownFlags, expectSelfContained } from '../support/docs-page.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'

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
    await expectKnownFlags(page, ['--archive-store-proxy', '--end-links', '--proxy', '--limit-rate'])
  })

  test('is linked from the API reference, loads nothing from other origins, and its links lead somewhere', async () => {
    expect(await (await fetch(`${service.origin}/docs`)).text()).toContain('href="/docs/running-on-a-server"')
    await expectSelfContained(service.origin, page)
  })
})
