import { expect } from 'playwright/test'
import { startChangingSite } from '../support/changing-site.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { test } from './browser-test.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { downloadLink } from './share-page-steps.ts'

interface Schedule {
  readonly id: string
  readonly latest_url: string
}

async function createSchedule(client: Client, urls: readonly string[]): Promise<Schedule> {
  const body = { name: 'Prices', urls, every: 'day', time_zone: 'UTC', zip_filename: '{name} of {date}' }
  const { schedule } = JSON.parse(await (await client.request('POST', '/schedules', body)).text())
  return schedule
}

/** Runs the schedule, and waits for the archive. */
async function run(client: Client, { id }: Schedule): Promise<void> {
  const { job_id } = JSON.parse(await (await client.request('POST', `/schedules/${id}/run`)).text())
  expect(await client.untilEnded(job_id)).toMatchObject({ status: 'completed' })
}

test('The link of a schedule opens its newest archive, says what has changed, and offers earlier ones', async ({
  page,
  holdall,
}) => {
  using site = startChangingSite()
  for (const path of ['/a.bin', '/b.bin', '/c.bin']) site.set(path, `the first version of ${path}`)
  const client = await signInOwner(holdall)
  const schedule = await createSchedule(client, [site.url('/a.bin'), site.url('/b.bin'), site.url('/c.bin')])
  await run(client, schedule)
  await page.goto(schedule.latest_url)
  await expect(page.getByRole('heading', { name: /^Prices of \d{4}-\d\d-\d\d\.zip$/ })).toBeVisible()
  await expect(page.getByText('3 new', { exact: true })).toBeVisible()
  await expect(downloadLink(page)).toBeVisible()
  await expect(page.getByText('Available until')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Earlier archives' })).toHaveCount(0)

  site.set('/a.bin', 404)
  site.set('/b.bin', 'the second version')
  await run(client, schedule)
  await page.reload()
  await expect(page.getByText(/^1 changed, 1 kept from \w+ \w+$/)).toBeVisible()
  const earlier = page.getByRole('region', { name: 'Earlier archives' }).getByRole('listitem')
  await expect(earlier).toHaveText([/^Prices of .*today.*3 files.*3 new$/])
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)

  await earlier.getByRole('link').click()
  await expect(page).not.toHaveURL(schedule.latest_url)
  await expect(downloadLink(page)).toBeVisible()
  await expect(page.getByText('3 new', { exact: true })).toHaveCount(0)
})
