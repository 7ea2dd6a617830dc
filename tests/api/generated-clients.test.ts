import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { forFile } from '../support/for-file.ts'
import { resultOf } from '../support/holdall-command.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dir, '../..')

const sources = forFile(startSources())
const service = forFile(await startService())

/** Sends requests by itself, since this generator makes types alone. */
const WITH_TYPES = `
import type { components, operations, paths } from './generated.ts'

type NewJob = paths['/jobs']['post']['requestBody']['content']['application/json']
type Created = operations['createJob']['responses'][201]['content']['application/json']
type Reply = operations['getJob']['responses'][200]['content']['application/json']
type Failure = components['schemas']['ErrorResponse']

const [origin = '', key = '', output = '', ...urls] = process.argv.slice(2)

async function send<T>(method: string, path: keyof paths, id = '', body?: NewJob): Promise<T> {
  const init = { method, headers: { 'x-api-key': key, 'content-type': 'application/json' } }
  const response = await fetch(origin + path.replace('{id}', id), body ? { ...init, body: JSON.stringify(body) } : init)
  const reply = JSON.parse(await response.text())
  if (response.ok) return reply
  const { error }: Failure = reply
  throw new Error(error.code)
}

const { job_id } = await send<Created>('POST', '/jobs', '', { urls, zip_filename: 'pages' })
let { job } = await send<Reply>('GET', '/jobs/{id}', job_id)
while (job.status === 'pending' || job.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 20))
  ;({ job } = await send<Reply>('GET', '/jobs/{id}', job_id))
}
await Bun.write(output, await fetch(job.download_url ?? ''))
`

const WITH_CLIENT = `
import { client } from './generated/client.gen.ts'
import { createJob, downloadArchive, followJob, getJob, listJobs } from './generated/sdk.gen.ts'

const [baseUrl = '', auth = '', output = '', ...urls] = process.argv.slice(2)
client.setConfig({ baseUrl, auth, throwOnError: true })
const created = await createJob({ body: { urls, zip_filename: 'pages' }, throwOnError: true })
const path = { id: created.data.job_id }
const { stream } = await followJob({ path })
for await (const _event of stream) continue
const { job } = (await getJob({ path, throwOnError: true })).data
const token = job.download_url?.split('/').at(-1) ?? ''
const archive = await downloadArchive({ path: { token }, throwOnError: true })
await Bun.write(output, archive.data)
const refused = await listJobs({ query: { limit: 1_000 }, throwOnError: false })
if (refused.error?.error.code !== 'INVALID_REQUEST') throw new Error('not refused')
`

test.each([
  ['openapi-typescript', 'generated.ts', WITH_TYPES],
  ['@hey-api/openapi-ts', 'generated', WITH_CLIENT],
])(
  'What %s generates compiles, and creates, waits for and downloads an archive',
  async (generator, output, program) => {
    using dir = tempDir()
    await Bun.write(dir.file('openapi.json'), await fetch(`${service.origin}/openapi.json`))
    await runBun(dir, [join(ROOT, 'tests/support/generate-client.ts'), generator, 'openapi.json', output])
    await Bun.write(dir.file('program.ts'), program)
    await Bun.write(dir.file('tsconfig.json'), JSON.stringify(TSCONFIG))
    await runBun(dir, [join(ROOT, 'node_modules/typescript/bin/tsc')])
    const urls = [sources.url('/ok/one'), sources.url('/ok/two')]
    await runBun(dir, ['program.ts', service.origin, service.key, dir.file('pages.zip'), ...urls])
    const listed = Bun.spawnSync(['unzip', '-Z1', dir.file('pages.zip')]).stdout.toString()
    expect(listed).toBe('one.txt\ntwo.txt\n')
  },
)

const TSCONFIG = {
  extends: join(ROOT, 'tsconfig.json'),
  compilerOptions: {
    // The generated client assigns undefined to optional fields.
    exactOptionalPropertyTypes: false,
    lib: ['ESNext', 'DOM', 'DOM.Iterable'],
    typeRoots: [join(ROOT, 'node_modules')],
  },
  include: ['.'],
}

async function runBun(dir: TempDir, args: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...args], { cwd: dir.path, stdout: 'pipe', stderr: 'pipe' })
  const { exitCode, stdout, stderr } = await resultOf(child)
  if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`)
}
