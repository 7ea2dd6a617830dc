import { expect, test } from 'bun:test'
import { openBucket } from '../../server/archive-store/bucket.ts'

test('a link to an object in the archive store writes a space of its query as %20, and changes no other sign', async () => {
  const bucket = openBucket({
    endpoint: 'http://127.0.0.1:9000',
    region: 'us-east-1',
    bucket: 'archives',
    prefix: 'a+b/',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: null,
  })
  const query = { 'response-content-disposition': 'attachment; filename="a+b c.zip"' }
  const link = new URL(await bucket.link({ method: 'GET', object: 'object', query }, 60))
  expect(decodeURIComponent(link.pathname)).toBe('/archives/a+b/object')
  expect(link.search).toContain('filename%3D%22a%2Bb%20c.zip%22')
})
