import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { deterministicBytes } from '../../support/origin/deterministic-bytes.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { startTcpServer } from '../../support/tcp-server.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const ENCODERS: Readonly<Record<string, (text: string) => Uint8Array>> = {
  br: (text) => brotliCompressSync(text),
  zstd: (text) => zstdCompressSync(text),
  gzip: (text) => gzipSync(text),
  deflate: (text) => deflateSync(text),
}

describe.each(Object.entries(ENCODERS))(
  'a source that stalls within a body with the coding %s',
  (coding, encode) => {
    test('does not keep other such bodies waiting', async () => {
      const encoded = encode('a body that arrives in part')
      await using stalling = await startTcpServer((socket) => {
        socket.on('data', () => {
          socket.write(
            `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${encoded.length}\r\n\r\n`,
          )
          socket.write(encoded.subarray(0, -4))
        })
      })
      await using origin = await startOrigin()
      using dir = tempDir()
      const slow = Array.from({ length: 4 }, (_, n) => `http://${stalling.host}/${n}.txt`)
      const good = Array.from({ length: 20 }, (_, n) => origin.url(`/encoded/${coding}?seed=${n}`))
      const job = testJob(dir.file('a.zip'), [...slow, ...good])
      const stop = new AbortController()
      const storedCount = () => job.checkpoint.entries.filter(({ status }) => status === 'stored').length
      await job.run({
        stop: stop.signal,
        onCommit: () => {
          if (storedCount() === good.length) stop.abort()
        },
      })
      expect([storedCount(), job.errors.length]).toEqual([good.length, 0])
    })
  },
)

describe.each(['br', 'zstd'])('a large body with the coding %s', (coding) => {
  const SIZE = 6_000_000

  test('is decoded, and leaves no file behind', async () => {
    await using origin = await startOrigin()
    using dir = tempDir()
    const url = origin.url(`/encoded/${coding}?size=${SIZE}&type=application/octet-stream`)
    const job = testJob(dir.file('a.zip'), [url])
    expect(await job.run()).toMatchObject({ status: 'completed' })
    expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(SIZE, 1) }])
    expect(readdirSync(dir.path)).toEqual(['a.zip'])
  })

  test('fails the job at its size limit before it is whole', async () => {
    await using endless = await startTcpServer((socket) => {
      socket.on('data', async () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\n\r\n`)
        for await (const piece of deterministicBytes(Number.MAX_SAFE_INTEGER)) {
          if (socket.destroyed) return
          if (!socket.write(piece))
            await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
        }
      })
    })
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), [`http://${endless.host}/a`])
    expect(await job.run({ order: { maxZipBytes: 10e6 } })).toMatchObject({
      failure: { code: 'ZIP_SIZE_EXCEEDED' },
    })
    expect(readdirSync(dir.path).filter((name) => name.includes('spool'))).toEqual([])
  })
})
