import { crc32, deflateSync } from 'node:zlib'
import { expect, type Page } from 'playwright/test'
import { type Client, signInOwner } from '../support/client.ts'
import { startFileSource } from '../support/file-source.ts'
import { samplePdf } from '../support/sample-pdf.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

const SCRIPT = `document.title = 'ran'; localStorage.setItem('stolen', '1')`
/** A black square of one pixel. */
const PNG = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
)
const FILES = {
  'photo.png': { type: 'image/png', body: PNG },
  'drawing.svg': {
    type: 'image/svg+xml',
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>${SCRIPT}</script><rect width="40" height="30"/></svg>`,
  },
  'page.html': { type: 'text/html', body: `<!doctype html><title>page</title><script>${SCRIPT}</script>` },
  'sound.wav': { type: 'audio/wav', body: silence(8_000) },
  'notes.txt': { type: 'text/plain', body: 'the first line\n'.repeat(40_000) },
  'broken.jpg': { type: 'image/jpeg', body: 'this is no picture' },
  'data.bin': { type: 'application/octet-stream', body: new Uint8Array(9) },
}

async function createArchive(client: Client) {
  await using source = startFileSource(FILES)
  const id = await client.createJob({ urls: [...source.urls], zip_filename: 'from-strangers' })
  return await client.untilEnded(id)
}

for (const who of ['The owner', 'A receiver'] as const) {
  test(`${who} looks at images, sound and text, one after the other, and none of them runs a script`, async ({
    page,
    holdall,
  }) => {
    const job = await createArchive(
      await (who === 'The owner' ? signInByKey(page, holdall) : signInOwner(holdall)),
    )
    await page.goto(who === 'The owner' ? `${holdall.address}/archives/${job.id}` : (job.share_url ?? ''))
    await page.getByRole('button', { name: 'photo.png' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading', { name: 'photo.png' })).toBeVisible()
    await expect(dialog.getByText('1 of 6')).toBeVisible()
    await expectPicture(page, 'photo.png', 1)

    await page.keyboard.press('ArrowRight')
    await expectPicture(page, 'drawing.svg', 40)

    await page.getByRole('button', { name: 'Next file' }).click()
    await expect(dialog.getByText(FILES['page.html'].body)).toBeVisible()

    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate(`document.querySelector('dialog audio')?.duration`)).toBe(1)

    await page.keyboard.press('ArrowRight')
    await expect(dialog.getByText('This is the beginning.')).toBeAttached()
    await expect(dialog.getByText('the first line').first()).toBeVisible()

    await page.keyboard.press('ArrowRight')
    await expect(dialog.getByText('This file can’t be shown here.')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(dialog.getByRole('heading', { name: 'photo.png' })).toBeVisible()

    const download = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download photo.png' }).click()
    expect((await download).suggestedFilename()).toBe('photo.png')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'photo.png' })).toBeFocused()

    expect(await page.title()).not.toBe('ran')
    expect(await page.evaluate(`localStorage.getItem('stolen')`)).toBeNull()
    await expect(page.locator('iframe, object, embed')).toHaveCount(0)
  })
}

test('An image of 48 KB that has pixels for gigabytes is not decoded, and a drawing is painted on a click alone', async ({
  page,
  holdall,
}) => {
  await using source = startFileSource({
    'small.png': FILES['photo.png'],
    'bomb.png': { type: 'image/png', body: blackPng(20_000) },
    'drawing.svg': FILES['drawing.svg'],
  })
  const client = await signInOwner(holdall)
  const { share_url = '' } = await client.untilEnded(await client.createJob({ urls: [...source.urls] }))
  await page.goto(share_url)
  // Beside one, the others have had their turn.
  const rows = page.getByRole('listitem')
  await expect(rows.filter({ hasText: 'small.png' }).locator('canvas')).toHaveCount(1)
  await page.getByRole('button', { name: 'bomb.png' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('This file can’t be shown here.')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expectPicture(page, 'drawing.svg', 40)
  await expect(page.locator('canvas')).toHaveCount(1)
  await expect(page.locator('img')).toHaveCount(1)
})

test('The pages of a PDF are painted without its scripts, also scanned ones, and a file that is not a PDF says so', async ({
  page,
  holdall,
}) => {
  await using source = startFileSource({
    'paper.pdf': { type: 'application/pdf', body: samplePdf(`app.alert(1); ${SCRIPT}`) },
    'fake.pdf': { type: 'application/pdf', body: 'this is no document' },
  })
  const client = await signInOwner(holdall)
  const { share_url = '' } = await client.untilEnded(await client.createJob({ urls: [...source.urls] }))
  await page.goto(share_url)
  await page.getByRole('button', { name: 'paper.pdf' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'Page 1' })).toBeVisible()
  await expect.poll(() => page.evaluate(middleColour(1))).toEqual([255, 0, 0, 255])
  await dialog.getByRole('img', { name: 'Page 2' }).scrollIntoViewIfNeeded()
  await expect.poll(() => page.evaluate(middleColour(2))).toEqual([0, 0, 0, 255])
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByText('This file can’t be shown here.')).toBeVisible()
  expect(await page.title()).not.toBe('ran')
})

/** Of a page, as red, green, blue and opacity. */
function middleColour(page: number): string {
  return `(() => {
    const page = document.querySelectorAll('dialog canvas')[${page - 1}]
    // Chromium warns of repeated reads from the canvas itself.
    const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    pixel.drawImage(page, -page.width / 2, -page.height / 2)
    return [...pixel.getImageData(0, 0, 1, 1).data]
  })()`
}

async function expectPicture(page: Page, name: string, width: number): Promise<void> {
  await expect(page.getByRole('dialog').getByRole('img', { name })).toBeVisible()
  await expect.poll(() => page.evaluate(`document.querySelector('dialog img')?.naturalWidth`)).toBe(width)
}

/** A black square, of one bit per pixel. */
function blackPng(sidePx: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Uint8Array) => {
    const bytes = Buffer.alloc(12 + data.length)
    bytes.writeUInt32BE(data.length, 0)
    bytes.write(type, 4, 'latin1')
    bytes.set(data, 8)
    bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), 8 + data.length)
    return bytes
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(sidePx, 0)
  head.writeUInt32BE(sidePx, 4)
  head[8] = 1
  const rows = Buffer.alloc((Math.ceil(sidePx / 8) + 1) * sidePx)
  return new Uint8Array(
    Buffer.concat([
      PNG.subarray(0, 8),
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(rows, { level: 9 })),
      chunk('IEND', new Uint8Array(0)),
    ]),
  )
}

/** A second of silence, as a WAV file. */
function silence(samplesPerSecond: number): Uint8Array<ArrayBuffer> {
  const file = new DataView(new ArrayBuffer(44 + samplesPerSecond))
  const text = (offset: number, letters: string) =>
    new Uint8Array(file.buffer).set(Buffer.from(letters), offset)
  text(0, 'RIFF')
  file.setUint32(4, 36 + samplesPerSecond, true)
  text(8, 'WAVEfmt ')
  file.setUint32(16, 16, true)
  file.setUint16(20, 1, true)
  file.setUint16(22, 1, true)
  file.setUint32(24, samplesPerSecond, true)
  file.setUint32(28, samplesPerSecond, true)
  file.setUint16(32, 1, true)
  file.setUint16(34, 8, true)
  text(36, 'data')
  file.setUint32(40, samplesPerSecond, true)
  new Uint8Array(file.buffer, 44).fill(128)
  return new Uint8Array(file.buffer)
}
