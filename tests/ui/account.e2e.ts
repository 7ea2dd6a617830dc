import { writeFileSync } from 'node:fs'
import { expect } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

test('The account page shows the plan, its limits, and the archives that use the most storage', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  for (const [name, sizeBytes] of [
    ['small', 20_000],
    ['large', 3_000_000],
  ] as const) {
    const urls = [origin.url(`/bytes/${sizeBytes}/${name}.bin`)]
    await client.untilEnded(await client.createJob({ urls, zip_filename: name }))
  }

  await page.goto(holdall.address)
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page.getByText('owner, on the Pro plan')).toBeVisible()
  await expect(page.getByText('used (no limit)')).toBeVisible()
  const plan = page.getByRole('region', { name: 'Pro plan limits' })
  await expect(plan).toContainText(/5,000 links.*50 GB.*5 minutes to 60 days.*No limit/)

  const space = page.getByRole('region', { name: 'Storage use' })
  await expect(space).toContainText('3 MB in 2 archives')
  await expect(space.getByRole('listitem')).toHaveText([
    /large\.zip.*3 MB.*Kept until/,
    /small\.zip.*20\.\d kB/,
  ])
  await space.getByRole('link', { name: 'large.zip' }).click()
  await expect(page.getByRole('heading', { name: 'large.zip' })).toBeVisible()
})

test.describe('With a quota of one byte for a day', () => {
  test.use({
    holdallOptions: {
      prepare: (startDir) => writeFileSync(`${startDir}/plans.json`, '{"pro":{"quota_gb_days":1e-9}}'),
      args: ['--plans', 'plans.json'],
    },
  })

  test('When the month’s storage is used up, the account page says so', async ({ page, holdall }) => {
    await using origin = await startOrigin()
    const client = await signInByKey(page, holdall)
    await client.untilEnded(await client.createJob({ urls: [origin.url('/bytes/5000000/film.mp4')] }))

    await page.goto(`${holdall.address}/account`)
    await expect(page.getByText('You’ve used this month’s storage.')).toBeVisible()
    await expect(page.getByRole('meter', { name: 'Storage this month' })).toBeVisible()
  })
})
