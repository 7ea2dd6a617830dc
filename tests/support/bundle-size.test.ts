import { expect, test } from 'bun:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { gzippedBytes, initialScripts, staleCompressions, styleSheets } from './bundle-size.ts'
import { tempDir } from './temp-dir.ts'

test('The initial scripts of a page are those that it runs and those that it preloads, and it waits for its style sheets', () => {
  const html = `
    <script type="module" crossorigin src="/assets/index-1.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/shared-2.js">
    <link rel="stylesheet" crossorigin href="/assets/index-3.css">
    <link rel="icon" href="/assets/icon.svg">`
  expect(initialScripts(html)).toEqual(['/assets/index-1.js', '/assets/shared-2.js'])
  expect(styleSheets(html)).toEqual(['/assets/index-3.css'])
})

test('The size of the initial scripts is the sum of their gzipped sizes', async () => {
  using dir = tempDir()
  const script = 'export const a = 1\n'.repeat(1_000)
  await Bun.write(dir.file('assets/a.js'), script)
  await Bun.write(dir.file('assets/b.js'), script)
  const each = gzipSync(script, { level: 9 }).length
  expect(await gzippedBytes(dir.path, ['/assets/a.js', '/assets/b.js'])).toBe(2 * each)
})

test('A compressed copy whose content differs from its file is reported', async () => {
  using dir = tempDir()
  await Bun.write(dir.file('assets/a.js'), 'now')
  await Bun.write(dir.file('assets/a.js.gz'), gzipSync('now'))
  await Bun.write(dir.file('assets/a.js.br'), brotliCompressSync('before'))
  expect(await staleCompressions(dir.path)).toEqual(['assets/a.js.br'])
})
