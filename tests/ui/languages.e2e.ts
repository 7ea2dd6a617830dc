import { expect } from 'playwright/test'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

test.describe('In a German browser', () => {
  test.use({ locale: 'de-AT' })

  test('the interface is in German, until English is chosen', async ({ page, holdall }) => {
    await signInByKey(page, holdall)
    await page.goto(`${holdall.address}/keys`)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText('API-Schlüssel')
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')

    await page.getByRole('banner').getByRole('button').click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await expect(heading).toHaveText('API keys')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.reload()
    await expect(heading).toHaveText('API keys')
  })
})
