import { expect, type Page } from 'playwright/test'
import type { Holdall } from '../support/executable.ts'
import { startNtfyServer } from '../support/ntfy-server.ts'
import { startOrigin } from '../support/origin.ts'
import { idOf, startReceiver, verified } from '../support/receiver.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { copiedBy } from './clipboard.ts'
import { SHOWN_WITHIN, untilPolled } from './page-polling.ts'
import { signInByKey } from './sign-in-steps.ts'

test('A webhook is added, its secret is copied, and a test and the end of a job are delivered', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await using receiver = startReceiver()
  const client = await signInByKey(page, holdall)
  await page.clock.install()
  await page.goto(holdall.address)
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: 'Notifications' }).click()
  await expect(page.getByRole('heading', { name: 'Nowhere yet' })).toBeVisible()

  await page.getByRole('combobox', { name: 'By' }).selectOption('Webhook')
  await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url())
  await page.getByRole('combobox', { name: 'About' }).selectOption('Ready archives')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('heading', { name: 'Webhook added' })).toBeFocused()
  const secret = await copiedBy(page, () => page.getByRole('button', { name: 'Copy secret' }).click())
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('textbox', { name: 'Topic' })).toBeVisible()
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('link', { name: receiver.url() }).click()
  await expect(page.getByText('Told of ready archives')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No deliveries yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(deliveries(page)).toHaveText([/Test.*Delivered \(204\)/])
  expect(verified(receiver.received[0], secret).type).toBe('ping')

  const id = await client.createJob({ urls: [origin.url('/bytes/100/a.bin')] })
  await untilPolled(page, () =>
    expect(deliveries(page)).toHaveText([/Archive ready.*Delivered \(204\)/, /Test/], SHOWN_WITHIN),
  )
  expect(verified(receiver.received[1], secret).data.job_id).toBe(id)
  await deliveries(page).getByRole('link', { name: 'Archive ready' }).click()
  await expect(page).toHaveURL(`${holdall.address}/archives/${id}`)
})

test('A failed delivery shows the answer, and is sent again when asked for', async ({ page, holdall }) => {
  await using receiver = startReceiver()
  receiver.respond(() => new Response(null, { status: 500 }))
  await openNewWebhook(page, holdall, receiver.url())
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(deliveries(page)).toHaveText([/Failed: HTTP 500/])
  receiver.respond(() => new Response(null, { status: 200 }))
  await page.getByRole('button', { name: 'Send again: Test' }).click()
  await expect(deliveries(page)).toHaveText([/Delivered \(200\)/])
  const [first, second] = await receiver.untilReceived(2)
  expect(idOf(second)).toBe(idOf(first))
})

test('A webhook whose receiver is gone is disabled with the reason, and a test enables it', async ({
  page,
  holdall,
}) => {
  await using receiver = startReceiver()
  receiver.respond(() => new Response(null, { status: 410 }))
  await openNewWebhook(page, holdall, receiver.url())
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByRole('alert')).toContainText(/Disabled today.*refused for good/)
  await page.getByRole('link', { name: 'Notifications' }).click()
  await expect(notifiers(page)).toHaveText([/Disabled/])

  receiver.respond(() => new Response(null, { status: 204 }))
  await page.getByRole('link', { name: receiver.url() }).click()
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(deliveries(page).first()).toContainText('Delivered (204)')
})

test('A webhook gets a new secret, and is deleted', async ({ page, holdall }) => {
  await using receiver = startReceiver()
  await openNewWebhook(page, holdall, receiver.url())
  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: 'New secret' }).click()
  await page.getByRole('button', { name: 'Create secret' }).click()
  await expect(page.getByRole('heading', { name: 'New secret created' })).toBeVisible()
  const secret = await page.getByText(/^whsec_/).textContent()
  await page.getByRole('button', { name: 'Send test' }).click()
  const [message] = await receiver.untilReceived(1)
  expect(verified(message, secret ?? '').type).toBe('ping')

  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Nowhere yet' })).toBeVisible()
})

test('A URL that can’t be used is refused with the reason, and an unknown notification is not found', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('400'))
  browserErrors.allow(failedRequest('404'))
  await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/account/notifications`)
  await page.getByRole('combobox', { name: 'By' }).selectOption('Webhook')
  await page.getByRole('textbox', { name: 'URL' }).fill('https://10.1.2.3/hook')
  await page.getByRole('textbox', { name: 'URL' }).press('Enter')
  await expect(page.getByRole('alert')).toHaveText('The URL must not lead to a private network.')
  await page.goto(`${holdall.address}/account/notifications/00000000-0000-4000-8000-000000000000`)
  await expect(page.getByRole('heading', { name: 'Notification not found' })).toBeVisible()
})

test('An ntfy topic is added with its token, tested in its row, and told that an archive is ready', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await using server = startNtfyServer('tk_right')
  const client = await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/account/notifications`)
  await page.getByRole('textbox', { name: 'Topic' }).fill(server.topicUrl('zips'))
  await page.getByLabel('Token').fill('tk_wrong')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: /^Test / }).click()
  await expect(notifiers(page)).toHaveText([/Test failed: HTTP 403/])

  await page.getByRole('link', { name: server.topicUrl('zips') }).click()
  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Token').fill('tk_right')
  await page.getByRole('dialog').getByRole('combobox', { name: 'About' }).selectOption('Ready archives')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Told of ready archives')).toBeVisible()
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('button', { name: /^Test / }).click()
  await expect(notifiers(page)).toHaveText([/Test delivered/])
  await client.createJob({ urls: [origin.url('/bytes/100/a.bin')], zip_filename: 'photos' })
  const [, message] = await server.untilPublished(2)
  expect(message?.title).toBe('photos.zip is ready')
  await page.goto(message?.click ?? '')
  await expect(page.getByRole('link', { name: /Download/ }).first()).toBeVisible()
})

test('Without a mail server, e-mail can’t be chosen', async ({ page, holdall }) => {
  await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/account/notifications`)
  await expect(page.getByRole('option', { name: 'E-mail (no mail server)' })).toBeDisabled()
  await expect(page.getByRole('combobox', { name: 'By' })).toHaveValue('ntfy')
})

/** Creates a webhook over the API, and opens its page from the list. */
async function openNewWebhook(page: Page, holdall: Holdall, url: string) {
  const client = await signInByKey(page, holdall)
  expect((await client.request('POST', '/webhooks', { url })).status).toBe(201)
  await page.goto(`${holdall.address}/account/notifications`)
  await page.getByRole('link', { name: url }).click()
}

function deliveries(page: Page) {
  return page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')
}

function notifiers(page: Page) {
  return page.getByRole('region', { name: 'Where you are told' }).getByRole('listitem')
}
