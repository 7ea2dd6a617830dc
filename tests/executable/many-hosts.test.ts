// test group: long
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { EXECUTABLE } from '../support/executable.ts'
import { resultOf } from '../support/holdall-command.ts'
import { refusedUrl, startOrigin } from '../support/origin.ts'
import { peakMemoryBytes } from '../support/peak-memory.ts'
import { tempDir } from '../support/temp-dir.ts'

const HOSTS = 15_000
const DEAD_HOSTS = 50
/** The list of 100,000 hosts that this stands for took 1.4 GB when each host kept what it had, and needs less than 300 MB. */
const MAX_MEMORY_BYTES = 200_000_000
/** Far less than there are hosts: an idle connection holds one. */
const MAX_DESCRIPTORS = 1_000

test(`holdall zip packs a list of ${HOSTS} hosts in bounded memory, and the dead ones among them hold up no others`, async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const urls = Array.from({ length: HOSTS }, (_, host) => {
    if (host < DEAD_HOSTS) return refusedUrl(`/${host}`).replace('127.0.0.1', `dead-${host}.localhost`)
    return origin.url(`/bytes/100/${host}.bin`).replace('127.0.0.1', `host-${host}.localhost`)
  })
  writeFileSync(dir.file('list.txt'), urls.join('\n'))
  const networks = ['--allow-network', '127.0.0.0/8', '--allow-network', '::1/128']
  const command = [EXECUTABLE, 'zip', '-o', 'a.zip', '-i', 'list.txt', '--keep-going', ...networks]
  const limited = ['sh', '-c', `ulimit -n ${MAX_DESCRIPTORS} && exec "$@"`, 'sh', ...command]
  const child = Bun.spawn(limited, { cwd: dir.path, stdio: ['ignore', 'pipe', 'pipe'] })
  // What the system says when the process has ended includes the memory of the one that started it.
  let peakBytes = 0
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakMemoryBytes(child.pid) ?? 0)
  }, 20)
  const { stderr, exitCode } = await resultOf(child)
  clearInterval(watch)
  expect(stderr).toContain(`${HOSTS - DEAD_HOSTS} files`)
  expect(stderr).toContain(`without ${DEAD_HOSTS} that failed`)
  expect(exitCode).toBe(0)
  expect(peakBytes).toBeWithin(1, MAX_MEMORY_BYTES)
}, 300_000)
