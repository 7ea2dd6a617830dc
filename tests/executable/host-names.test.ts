import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signIn } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'

const HOSTS = '127.0.0.1 app.test nas.local\n::1 localhost\n127.0.0.1 localhost box\n'

/** A hosts file that only one process sees. */
function withHosts(path: string): string[] {
  const isRoot = process.getuid?.() === 0
  const script = 'mount --bind "$0" /etc/hosts && exec "$@"'
  return ['unshare', isRoot ? '-m' : '-rm', 'sh', '-c', script, path]
}

test('names in the hosts file resolve to the addresses on their lines only', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  writeFileSync(dir.file('hosts'), HOSTS)
  await using holdall = await startHoldall({ under: withHosts(dir.file('hosts')) })
  const client = await signIn(await holdall.signInLink())
  const urls = ['app.test', 'APP.test.', 'nas.local', 'box'].map((name, index) =>
    origin.url(`/bytes/1000/${index}.bin`).replace('127.0.0.1', name),
  )
  // The loopback of IPv6 is not among the networks that the tests allow.
  const refused = origin.url('/bytes/1000/refused.bin').replace('127.0.0.1', 'localhost')

  const jobId = await client.createJob({ urls: [...urls, refused], fail_on_url_error: false })
  const job = await client.untilEnded(jobId)
  expect(job).toMatchObject({ status: 'completed', file_count: 4 })
  expect(job.errors).toMatchObject([{ url: refused, error: 'Address not allowed' }])
})

test('names of one label and names in .local are looked up by the system', () => {
  using dir = tempDir()
  writeFileSync(dir.file('hosts'), HOSTS)
  const script = join(import.meta.dir, '../fetching/resolve-once.ts')
  const names = ['nas.local', 'nas.local.', 'box', 'no-such-box']
  const { stdout } = Bun.spawnSync([...withHosts(dir.file('hosts')), process.execPath, script, ...names])
  expect(stdout.toString()).toBe(
    'nas.local 127.0.0.1\nnas.local. 127.0.0.1\nbox 127.0.0.1\nno-such-box Could not resolve host\n',
  )
})
