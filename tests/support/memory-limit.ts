import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A limit on the memory of a command, as a container has: the system kills what takes more. */
export interface MemoryLimit extends Disposable {
  /** A command prefix, as `HoldallOptions.under`. */
  readonly under: readonly string[]
  /** How often the system has killed a process because of it. */
  kills(): number
}

/** @throws Error where this process may not make control groups: a test that needs one fails, and is not skipped */
export function limitMemory(maxBytes: number): MemoryLimit {
  const version = VERSIONS.find(({ root, mark }) => existsSync(join(root, mark)))
  if (version === undefined) throw new Error(`This system has no control groups for memory. ${REMEDY}`)
  const dir = join(version.root, `holdall-test-${process.pid}-${maxBytes}`)
  try {
    mkdirSync(dir)
    writeFileSync(join(dir, version.limit), `${maxBytes}`)
  } catch (cause) {
    if (existsSync(dir)) rmdirSync(dir)
    throw new Error(`This user may not make control groups in ${version.root}. ${REMEDY}`, { cause })
  }
  return {
    under: ['sh', '-c', `echo $$ > '${join(dir, 'cgroup.procs')}' && exec "$@"`, 'sh'],
    kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(dir, version.events), 'utf8'))?.[1]),
    [Symbol.dispose]: () => rmdirSync(dir),
  }
}

const REMEDY = 'Run this test as root, on Linux with cgroups.'

/** cgroups(7), the second version first. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup',
    mark: 'cgroup.controllers',
    limit: 'memory.max',
    events: 'memory.events',
  },
  {
    root: '/sys/fs/cgroup/memory',
    mark: 'memory.limit_in_bytes',
    limit: 'memory.limit_in_bytes',
    events: 'memory.oom_control',
  },
] as const
