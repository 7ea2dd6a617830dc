import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { inMountNamespace } from '../support/mount-namespace.ts'
import { startOrigin } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'

const HOSTS = '127.0.0.1 app.test nas.local\n::1 localhost\n127.0.0.1 localhost box\n'

/** Replaces the hosts file for one command. */
function withHosts(path: string): string[] {
  return inMountNamespace('mount --bind "$1" /etc/hosts', path)
}

test('names in the hosts file resolve only to the addresses on their own lines', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  writeFileSync(dir.file('hosts'), HOSTS)
  await using holdall = await startHoldall({ under: withHosts(dir.file('hosts')) })
  const client = await signInOwner(holdall)
  const urls = ['app.test', 'APP.test.', 'nas.local', 'box'].map((name, index) =>
    origin.url(`/bytes/1000/${index}.bin`).replace('127.0.0.1', name),
  )
  // It also resolves to ::1, which the tests do not allow.
  const refused = origin.url('/bytes/1000/refused.bin').replace('127.0.0.1', 'localhost')

  const jobId = await client.createJob({ urls: [...urls, refused], fail_on_url_error: false })
  const job = await client.untilEnded(jobId)
  expect(job).toMatchObject({ status: 'completed', file_count: 4 })
  expect(job.errors).toMatchObject([{ url: refused, error: 'Address not allowed' }])
})

test('the system resolves names without a dot and names in .local', () => {
  using dir = tempDir()
  writeFileSync(dir.file('hosts'), HOSTS)
  const script = join(import.meta.dir, '../fetching/addresses/resolve-once.ts')
  const names = ['nas.local', 'nas.local.', 'box', 'no-such-box']
  const { stdout } = Bun.spawnSync([...withHosts(dir.file('hosts')), process.execPath, script, ...names])
  expect(stdout.toString()).toBe(
    'nas.local 127.0.0.1\nnas.local. 127.0.0.1\nbox 127.0.0.1\nno-such-box Could not resolve host\n',
  )
})
