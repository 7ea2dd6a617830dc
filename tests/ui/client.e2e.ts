import { join } from 'node:path'
import { expect } from 'playwright/test'
import { signInOwner } from '../support/client.ts'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'

const CLIENT = join(import.meta.dirname, '../../dist/client/client.js')

test('the client creates, follows and downloads an archive in a page of the service', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const { key } = await signInOwner(holdall)
  await page.route('**/assets/client.js', (route) =>
    route.fulfill({ path: CLIENT, contentType: 'text/javascript' }),
  )
  await page.goto(`${holdall.address}/docs`)
  const result = await page.evaluate(
    async ({ url, key, urls }) => {
      const { createHoldallClient } = await import(`${url}/assets/client.js`)
      const client = createHoldallClient({ url, key })
      const names: string[] = []
      const { id } = await client.createJob({ urls })
      for await (const { name } of client.followJob(id)) names.push(name)
      const archive = await client.download(await client.getJob(id))
      const bytes = new Uint8Array(await archive.arrayBuffer())
      return { names, length: bytes.length, start: String.fromCharCode(...bytes.subarray(0, 2)) }
    },
    { url: holdall.address, key, urls: [origin.url('/files/report.pdf')] },
  )
  expect(result.names[0]).toBe('snapshot')
  expect(result.names.at(-1)).toBe('end')
  expect(result.length).toBeGreaterThan(100)
  expect(result.start).toBe('PK')
})
