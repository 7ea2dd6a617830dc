import { expect, type Page } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { loadAxe, RULES, violations } from './axe.ts'
import { test } from './browser-test.ts'
import { pasteLinks } from './link-steps.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { signInByKey } from './sign-in-steps.ts'

// What is fading in has other colours for a moment.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test.describe('In a German browser', () => {
  test.use({ locale: 'de-AT' })

  test('everything from the sign-in page to the page for receivers is in German', async ({
    page,
    holdall,
  }) => {
    await using origin = await startOrigin()
    await page.goto(`${holdall.address}/sign-in`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anmelden')
    await expect(page.getByRole('button', { name: 'Deutsch' })).toHaveAttribute('aria-pressed', 'true')
    await expectSound(page)

    await signInByKey(page, holdall)
    await page.goto(holdall.address)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Neues Archiv')
    await pasteLinks(page, ['a.txt', 'b.txt'].map((name) => origin.url(`/bytes/1000/${name}`)).join('\n'))
    const pack = page.getByRole('button', { name: '2 Dateien packen' })
    await expect(pack).toBeVisible()
    await expectSound(page)

    await pack.click()
    await expect(page.getByRole('link', { name: 'Herunterladen' })).toBeVisible()
    await expect(page.getByText(/^2 Dateien · 2,\d kB$/)).toBeVisible()
    await expectSound(page)

    await page.getByRole('button', { name: 'Teilen' }).click()
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    await page.goto(link)
    await expect(page.getByRole('link', { name: 'Herunterladen', exact: true })).toBeVisible()
    await expect(page.getByText(/^2 Dateien · 2,\d kB · bis morgen, /)).toBeVisible()
    await expectSound(page)
  })

  test('what is wrong with a line that was pasted is said in German', async ({ page, holdall }) => {
    await signInByKey(page, holdall)
    await page.goto(holdall.address)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Neues Archiv')
    await pasteLinks(page, 'ftp://a.test/x')
    await expect(page.getByRole('alert')).toHaveText(
      'Keine Links in diesem Text: ftp wird nicht unterstützt (nur http und https)',
    )
    const tooLong = `https://a.test/${'x'.repeat(8_178)}`
    await pasteLinks(page, `https://a.test/a\nhttps://a.test:99999/\n${tooLong}`)
    await page.getByText('2 Textzeilen ignoriert').click()
    const lines = page.getByRole('list', { name: 'Ignorierte Zeilen' }).getByRole('listitem')
    await expect(lines.nth(0)).toContainText('Keine gültige URL')
    await expect(lines.nth(1)).toContainText(/Länger als 8\D192 Zeichen/)
    await expectSound(page)
  })

  test('what the service says, in English, is translated', async ({ page, holdall, browserErrors }) => {
    browserErrors.allow('422')
    await signInByKey(page, holdall)
    await page.goto(holdall.address)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Neues Archiv')
    // Nothing listens there.
    await pasteLinks(page, 'http://127.0.0.1:1/reports')
    await page.getByRole('button', { name: 'Hineinsehen' }).click()
    const alert = page.getByRole('dialog').getByRole('alert')
    await expect(alert).toHaveText(
      /^In die Seite lässt sich nicht hineinsehen: (Server lehnte die Verbindung ab|Keine Verbindung möglich)\./,
    )
    await expect(alert.locator('[lang="en"]')).toHaveCount(0)
    await expect(alert.getByRole('button', { name: 'Erneut versuchen' })).toBeVisible()
    await expectSound(page)
  })

  test('what is wrong with a pasted curl command, or with a field, is said in German', async ({
    page,
    holdall,
    browserErrors,
  }) => {
    browserErrors.allow('400')
    await signInByKey(page, holdall)
    await page.goto(holdall.address)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Neues Archiv')
    await pasteLinks(page, "curl 'https://a.test/x.pdf' --form file=@x")
    const problem = page.getByRole('alert').filter({ hasText: 'Der curl-Befehl ist nicht verwendbar' })
    await expect(problem).toContainText(
      'die Option --form sendet Daten. Holdall ruft nur Dateien ab, mit GET.',
    )
    await expect(problem.locator('[lang="en"]')).toHaveCount(0)
    await expectSound(page)

    await page.goto(`${holdall.address}/account/notifications`)
    await page.getByRole('combobox', { name: 'Per' }).selectOption('ntfy')
    await page.getByRole('textbox', { name: 'Thema' }).fill('https://ntfy.sh/')
    await page.getByRole('button', { name: 'Hinzufügen', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'Das Thema wird nicht angenommen: nötig ist die Adresse eines Themas, etwa https://ntfy.sh/my-topic, ohne Passwort und Abfrage.',
    )
  })

  test('a sentence of a newer service that has no translation is marked as English for screen readers', async ({
    page,
    holdall,
    browserErrors,
  }) => {
    browserErrors.allow('400')
    await signInByKey(page, holdall)
    const error = { code: 'INVALID_REQUEST', message: 'This rule is new.' }
    await page.route('**/jobs', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { success: false, error } })
        : route.fallback(),
    )
    await page.goto(holdall.address)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Neues Archiv')
    await pasteLinks(page, 'https://a.test/x.pdf')
    await page.getByRole('button', { name: '1 Datei packen' }).click()
    await expect(page.getByRole('alert').locator('[lang="en"]')).toHaveText('This rule is new.')
    await expectSound(page)
  })

  test('the choice of English in the menu stays, also after the page is loaded again', async ({
    page,
    holdall,
  }) => {
    await signInByKey(page, holdall)
    await page.goto(`${holdall.address}/keys`)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText('API-Schlüssel')
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')

    await page.getByRole('button', { name: 'Konto und Einstellungen' }).click()
    // What is for the owner alone comes a moment later, and moves the items below.
    await expect(page.getByRole('menuitem', { name: 'Dienst' })).toBeVisible()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await expect(heading).toHaveText('API keys')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.reload()
    await expect(heading).toHaveText('API keys')
  })
})

test('A browser that prefers another language gets the first of its languages that there is, and can choose without signing in', async ({
  browser,
  holdall,
}) => {
  const context = await browser.newContext({ locale: 'fr-FR' })
  const page = await context.newPage()
  await page.goto(`${holdall.address}/sign-in`)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Sign in')
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect(heading).toHaveText('Anmelden')
  await page.goto(`${holdall.address}/share/unknown`)
  await expect(page.getByRole('heading', { name: 'Dieser Link funktioniert nicht' })).toBeVisible()
  await context.close()
})

/** The page breaks no rule of axe, and does not scroll sideways on the narrowest screen (WCAG 2.2, 1.4.10). */
async function expectSound(page: Page): Promise<void> {
  await loadAxe(page)
  expect(await violations(page, RULES)).toEqual([])
  await page.setViewportSize({ width: 320, height: 740 })
  await expect.poll(() => pageOverflowPx(page)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1280, height: 720 })
}
