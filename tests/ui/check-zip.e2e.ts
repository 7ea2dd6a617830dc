import { expect, type Page } from 'playwright/test'
import { type BuiltEntry, buildZip } from '../support/built-zip.ts'
import { sha256 } from '../support/sha256.ts'
import { test } from './browser-test.ts'

const A: BuiltEntry = { name: 'a.txt', content: 'text '.repeat(300_000), method: 8 }
const B: BuiltEntry = { name: 'folder/b.bin', content: Buffer.alloc(2_000_001, 'some bytes') }
const sumOf = ({ name, content = '' }: BuiltEntry) => `${sha256(Buffer.from(content))}  ${name}\n`
const SUMS: BuiltEntry = { name: 'SHA256SUMS', content: sumOf(A) + sumOf(B) }

const choose = (page: Page, name: string, bytes: Uint8Array) =>
  page.getByLabel('ZIP file').setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(bytes) })

test('A ZIP is checked on this device, without signing in, and nothing of it is sent', async ({
  page,
  holdall,
}) => {
  await page.goto(`${holdall.address}/check`)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  await choose(page, 'right.zip', buildZip([A, B, SUMS]))
  await expect(page.getByText('right.zip is all right')).toBeVisible()
  await expect(page.getByText('3 files · ')).toContainText('2 files compared with SHA256SUMS')
  expect(sent).toEqual([])
})

test('What is wrong with a ZIP is listed, file by file', async ({ page, holdall }) => {
  await page.goto(`${holdall.address}/check`)
  const changed = { ...B, content: `${B.content}` }
  const bytes = buildZip([
    { ...A, central: { crc32: 1 }, local: { crc32: 1 } },
    { ...changed, content: Buffer.alloc(2_000_001, 'other bytes') },
    { name: '../outside.txt', content: 'x' },
    { name: 'invalid', content: 'x', packed: Buffer.from('no deflate'), method: 8 },
    SUMS,
  ])
  await choose(page, 'wrong.zip', bytes)
  await expect(page.getByText('wrong.zip has 4 problems')).toBeVisible()
  const problems = page.getByRole('region', { name: '4 problems' }).getByRole('listitem')
  await expect(problems).toHaveText([
    '../outside.txtIts name leads out of the folder that it is unpacked to.',
    'a.txtIts content is damaged: its CRC-32 differs.',
    'folder/b.binIts SHA-256 is not the one in the list: its content was changed.',
    'invalidIts content is damaged: it cannot be unpacked.',
  ])
  await expect(page.getByRole('region', { name: 'Worth knowing' })).toContainText(
    '2 files are not listed in SHA256SUMS.',
  )

  await choose(page, 'page.html', Buffer.from('<h1>no ZIP</h1>'))
  await expect(page.getByText('This is not a ZIP file, or its end is missing.')).toBeVisible()
})

test('A ZIP may be dropped anywhere on the page', async ({ page, holdall }) => {
  await page.goto(`${holdall.address}/check`)
  await expect(page.getByLabel('ZIP file')).toBeAttached()
  const bytes = [...buildZip([{ name: 'a.txt', content: 'text' }])]
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([Uint8Array.from(${JSON.stringify(bytes)})], 'dropped.zip'))
    return transfer
  })()`)
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
  await expect(page.getByText('dropped.zip is all right')).toBeVisible()
})
