import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dir, '../..')
/** Part of it is the parser of server-sent events. */
const MAX_BUNDLE_BYTES = 25_000

test('The client is one file without imports and without code of the server', async () => {
  const code = await Bun.file(join(ROOT, 'dist/client/client.js')).text()
  expect(code).not.toMatch(/^import |\brequire\(|\bBun\b|\bprocess\b|Zod|elysia/m)
  expect(code.length).toBeLessThan(MAX_BUNDLE_BYTES)
})

test('The types of the client say what a program may send and what it gets', async () => {
  using dir = tempDir()
  mkdirSync(dir.file('node_modules'))
  symlinkSync(ROOT, dir.file('node_modules/holdall'))
  await Bun.write(dir.file('package.json'), '{ "type": "module" }')
  await Bun.write(
    dir.file('tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        lib: ['es2022', 'esnext.disposable', 'dom'],
        types: [],
        strict: true,
        noEmit: true,
      },
      files: ['program.ts'],
    }),
  )
  await Bun.write(dir.file('program.ts'), PROGRAM)
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = Bun.spawnSync([process.execPath, compiler], { cwd: dir.path })
  const wrongLines = [...stdout.toString().matchAll(/^program\.ts\((\d+)/gm)].map(([, line]) => line)
  const expected = PROGRAM.split('\n').flatMap((line, index) =>
    line.endsWith('// wrong') ? [`${index + 1}`] : [],
  )
  expect(wrongLines).toEqual(expected)
})

const PROGRAM = `
import { type CreatedJob, createHoldallClient, HoldallError, type Job } from 'holdall/client'
const client = createHoldallClient({ url: 'http://127.0.0.1:8420', key: 'k' })
const urls: readonly string[] = ['https://example.org/']
const { id, hints }: CreatedJob = await client.createJob({ urls, zip_filename: 'pages', metadata: { order: '7' } })
for (const { path, message } of hints) console.log(path.trim(), message.trim())
await client.createJob({ files: [{ url: 'https://example.org/', filename: 'a/b.html' }] })
await client.createJob({ urls, base: { job_id: id, reuse: 'unchanged' } })
await client.createJob({ urls, base: { job_id: id, reuse: 'some' } }) // wrong
await client.createJob({ urls, files: [] }) // wrong
await client.createJob({ urls: [5] }) // wrong
await client.createJob({ urls, expires_in: 'a day' }) // wrong
await client.createJob({}) // wrong
for await (const event of client.followJob(id)) {
  if (event.name === 'progress') event.data.speed.toFixed()
  if (event.name === 'end') event.data.speed // wrong
}
const job: Job = await client.getJob(id)
if (job.status === 'done') throw job // wrong
await client.listJobs({ status: 'ready' }) // wrong
try {
  await client.download(job)
} catch (error) {
  if (error instanceof HoldallError && error.code === 'QUOTA_EXCEEDED') throw error
  if (error instanceof HoldallError && error.code === 'QUOTA') throw error // wrong
}
`
