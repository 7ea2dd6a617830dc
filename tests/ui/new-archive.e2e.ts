import { expect, type Page } from 'playwright/test'
import type { Holdall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { plainListCpuMs, startCpuTimer } from './page-cpu-time.ts'

test('A pasted list shows its links, invalid lines with the reason, duplicates and probable names', async ({
  page,
  holdall,
}) => {
  await openHome(page, holdall)
  await linkBox(page).fill(
    [
      'https://a.test/report.pdf',
      'ftp://a.test/x',
      'https://b.test/Report.pdf',
      'https://a.test/report.pdf',
    ].join('\n'),
  )

  await expect(page.getByText('3 links')).toBeVisible()
  await expect(page.getByText('1 duplicate')).toBeVisible()
  await expect(
    page.getByRole('button', { name: 'Line 2 Only http and https can be fetched, not ftp' }),
  ).toBeVisible()
  await page.getByText('Names in the archive', { exact: true }).click()
  await expect(names(page)).toHaveText([/report\.pdf/, /Report \(2\)\.pdf/, /report \(3\)\.pdf/])
})

test('File names and folders of a pasted table are used in the archive', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await openHome(page, holdall)
  await linkBox(page).fill(
    [
      'url,folder,name',
      `${origin.url('/bytes/100/a.bin')},"Papers, old",first.bin`,
      `${origin.url('/bytes/100/b.bin')},,`,
    ].join('\n'),
  )
  await page.getByText('Names in the archive', { exact: true }).click()
  await expect(names(page)).toHaveText([/Papers, old\/first\.bin/, /b\.bin/])

  const created = page.waitForRequest((request) => request.method() === 'POST')
  await linkBox(page).press('Control+Enter')
  expect((await created).postDataJSON().files).toEqual([
    { url: origin.url('/bytes/100/a.bin'), filename: 'Papers, old/first.bin' },
    { url: origin.url('/bytes/100/b.bin') },
  ])
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
})

test('Dropping a text file or an HTML file adds its links', async ({ page, holdall }) => {
  await openHome(page, holdall)
  await drop(page, { name: 'list.txt', text: 'https://a.test/one\r\nhttps://a.test/two\r\n' })
  await expect(linkBox(page)).toHaveValue('https://a.test/one\nhttps://a.test/two')
  await drop(page, { name: 'page.html', text: '<a href="https://a.test/three">Three</a> <a href="#x">x</a>' })
  await expect(linkBox(page)).toHaveValue('https://a.test/one\nhttps://a.test/two\nhttps://a.test/three')
})

test('With 5,000 links, a key press takes less CPU time than rendering a plain list of 5,000 lines', async ({
  page,
  holdall,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openHome(page, holdall)
  const text = Array.from(
    { length: 5_000 },
    (_, index) => `https://a.test/files/${index % 2_500}/photo.jpg`,
  ).join('\n')
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await linkBox(page).press('ControlOrMeta+V')
  await expect(linkBox(page)).toHaveValue(text)
  await page.getByText('Names in the archive', { exact: true }).click()
  await expect(names(page).first()).toHaveText(/photo\.jpg/)
  await expect(page.getByText('5,000 links')).toBeVisible()
  await expect(page.getByText('2,500 duplicates')).toBeVisible()

  await linkBox(page).press('ControlOrMeta+End')
  const measureCpuMs = await startCpuTimer(page)
  const baselineMs = await plainListCpuMs(page, measureCpuMs)
  const keysMs: number[] = []
  for (const key of '?size=large') {
    keysMs.push(
      await measureCpuMs(async () => {
        await page.keyboard.press(key)
        await page.evaluate(UNTIL_DRAWN)
      }),
    )
  }
  await expect(page.getByText('2,499 duplicates')).toBeVisible()
  expect(Math.max(...keysMs)).toBeLessThan(baselineMs)
})

/** Waits for two animation frames, after which the changes of a key press are drawn. */
const UNTIL_DRAWN =
  'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null))))'

async function openHome(page: Page, holdall: Holdall) {
  await page.goto(await holdall.signInLink())
  await expect(linkBox(page)).toBeVisible()
}

function linkBox(page: Page) {
  return page.getByRole('textbox', { name: 'URLs' })
}

function names(page: Page) {
  return page.getByRole('list', { name: 'Names in the archive' }).getByRole('listitem')
}

async function drop(page: Page, file: { name: string; text: string }) {
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(file.text)}], ${JSON.stringify(file.name)}))
    return transfer
  })()`)
  await linkBox(page).dispatchEvent('drop', { dataTransfer: transfer })
}
