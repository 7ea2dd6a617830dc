import { execFileSync } from 'node:child_process'
import { expect } from 'playwright/test'
import { EXECUTABLE } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { SHOWN_WITHIN, untilPolled } from './page-polling.ts'
import { signInByKey } from './sign-in-steps.ts'

test.use({ holdallOptions: { args: ['--jobs', '1', '--rate-limit', '0'] } })

test('The owner sees disk, jobs, queue, version and settings, which follow what the service does', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await page.clock.install()
  await page.goto(holdall.address)
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: 'Service' }).click()
  const activity = page.getByRole('region', { name: 'Archives' })
  await expect(activity).toContainText(/Running0 of 1 at once.*Waiting0.*Longest waitNone/)
  await expect(activity).toContainText(/Ready0.*Failed0.*Cancelled0/)

  await client.untilEnded(await client.createJob({ urls: [origin.url('/bytes/3000000/film.mp4')] }))
  const slow = origin.url('/bytes/2000000/song.mp3?bytes_per_second=20000')
  await client.createJob({ urls: [slow] })
  await client.createJob({ urls: [slow] })
  await untilPolled(page, () =>
    expect(activity).toContainText(
      /Running1 of 1 at once.*Waiting1.*Longest wait\d.*Connections1 of 64/,
      SHOWN_WITHIN,
    ),
  )
  await expect(activity).toContainText('Ready1')

  const disk = page.getByRole('region', { name: 'Disk' })
  await expect(disk).toContainText(/B free.*of .*B.*Archives3 MB/)
  await expect(disk.getByRole('meter', { name: 'Disk space used' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Version and backup' })).toContainText(
    /Version\d+\.\d+\.\d+.*Running for\d+ .*Last backupNone yet/,
  )
  execFileSync(EXECUTABLE, [
    'backup',
    `${holdall.dataDir}.tar`,
    '--exclude-archives',
    '--data',
    holdall.dataDir,
  ])
  await untilPolled(page, () =>
    expect(page.getByRole('region', { name: 'Version and backup' })).toContainText(
      /Last backup.*\d+:\d\d.*, \d+ kB/,
      SHOWN_WITHIN,
    ),
  )
  // A user who is root, as on a server, does not log in.
  await expect(page.getByRole('region', { name: 'Start at login' })).toContainText('holdall install')
  const settings = page.getByRole('region', { name: 'Settings' })
  await expect(settings).toContainText(/Archives at once1.*Requests per minute and keyNo limit/)
  await expect(settings).toContainText(/Free plan.*Links per archive100.*Pro plan.*Links per archive5,000/)
  await expect(settings).toContainText(/Set at the start.*--listen127\.0\.0\.1:\d+.*--timeout60 seconds/)
  await expect(settings).not.toContainText(holdall.dataDir)
})

test.describe('With an archive store', () => {
  test.use({
    holdallOptions: {
      // Nothing listens at this port.
      args: ['--archive-store', 's3://zips/node1', '--archive-store-endpoint', 'http://127.0.0.1:1'],
      env: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' },
    },
  })

  test('The owner sees that it does not work, and how many archives wait for it', async ({
    page,
    holdall,
  }) => {
    await using origin = await startOrigin()
    const client = await signInByKey(page, holdall)
    await page.clock.install()
    await page.goto(`${holdall.address}/admin/service`)
    const store = page.getByRole('region', { name: 'Archive store' })
    await untilPolled(page, () =>
      expect(store.getByRole('alert')).toContainText('The archive store does not respond.', SHOWN_WITHIN),
    )
    await expect(store).toContainText(/StateNot working.*Waiting for uploadNone/)
    await client.createJob({ urls: [origin.url('/bytes/1000/note.txt')] })
    await untilPolled(page, () => expect(store).toContainText('Waiting for upload1 archive', SHOWN_WITHIN))
  })
})
