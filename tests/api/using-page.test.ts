import { describe, expect, test } from 'bun:test'
import { expectKnownFlags, expectSelfContained } from '../support/docs-page.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'

const service = forFile(await startService())
const page = await (await fetch(`${service.origin}/docs/using-holdall`)).text()

describe('The page on using Holdall', () => {
  test('links the operations that it names to the reference', () => {
    expect(page).toContain('<a href="/docs/reference/jobs#retryJob"><code>POST /jobs/:id/retry</code></a>')
  })

  test('names only settings and flags that exist', async () => {
    await expectKnownFlags(page, ['--keep-going', '--fail-on-warning', '--remember', '--reuse'])
  })

  test('is linked from the API reference, loads nothing from other origins, and its links lead somewhere', async () => {
    expect(await (await fetch(`${service.origin}/docs`)).text()).toContain('href="/docs/using-holdall"')
    await expectSelfContained(service.origin, page)
  })
})
