import { expect, test } from 'bun:test'
import { readZip } from '../../support/read-zip.ts'
import { startTcpServer } from '../../support/tcp-server.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

/** A source that declares the length in the path of the URL, and sends five bytes. */
function startLiar(contentType: string) {
  return startTcpServer((socket) => {
    socket.on('data', (request) => {
      const [, length = ''] = /^GET \/(\S*?)\.bin/.exec(request.toString('latin1')) ?? []
      const head = `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nContent-Length: ${decodeURIComponent(length)}\r\n\r\n`
      socket.end(`${head}hello`)
    })
  })
}

const TOO_LONG = 'ZIP size limit exceeded (50 GB)'

test.each([
  ['999999999999999', TOO_LONG],
  ['50000000001', TOO_LONG],
  ['9007199254740991', TOO_LONG],
  // Past 2^53, a length is beyond any file system, and no number is exact.
  ['9007199254740993', 'Malformed response'],
  ['9223372036854775808', 'Malformed response'],
  ['99999999999999999999', 'Malformed response'],
  ['-5', 'Malformed response'],
  ['+5', 'Malformed response'],
  ['0x5', 'Malformed response'],
  ['5.0', 'Malformed response'],
])('a declared length of %s, which no plan allows, fails its URL alone', async (length, error) => {
  for (const contentType of ['application/octet-stream', 'text/plain']) {
    await using liar = await startLiar(contentType)
    using dir = tempDir()
    const paths = [encodeURIComponent(length), '5']
    const job = testJob(
      dir.file('a.zip'),
      paths.map((path) => `http://${liar.host}/${path}.bin`),
    )
    expect(await job.run()).toMatchObject({ status: 'completed', fileCount: 1 })
    expect(job.errors).toEqual([[0, error]])
    expect(await readZip(job.archivePath)).toMatchObject([{ name: '5.bin' }])
  }
})

test('a declared length that only the plan of this job forbids fails the job', async () => {
  await using liar = await startLiar('application/octet-stream')
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [`http://${liar.host}/3000000000.bin`, `http://${liar.host}/5.bin`])
  expect(await job.run({ order: { maxZipBytes: 2e9 } })).toMatchObject({
    failure: { code: 'ZIP_SIZE_EXCEEDED' },
  })
})

test('a declared length that a plan allows, but the disk has no room for, fails the job as DISK_FULL', async () => {
  await using liar = await startLiar('application/octet-stream')
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [`http://${liar.host}/900000000000000.bin`])
  const order = { maxZipBytes: 1e15, maxDeclaredBytes: 1e15 }
  expect(await job.run({ order })).toMatchObject({ failure: { code: 'DISK_FULL' } })
})
