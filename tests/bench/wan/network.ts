import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { runCommand } from '../command.ts'
import { absenceOf } from '../contenders/contender.ts'

/** A line between two network namespaces. */
export interface Line {
  readonly roundTripMs: number
  readonly megabitsPerSecond: number
  /** The share of packets that get lost. */
  readonly loss: number
}

/** What passed over a line. */
export interface Passed {
  readonly connections: number
  /** Packets that were dropped by its full queue, or lost. */
  readonly droppedPackets: number
}

/** Two hosts that only a long line connects. */
export interface Network {
  /** Goes before a command, to run it on one of the hosts. */
  readonly onClient: readonly string[]
  readonly onServer: readonly string[]
  /** Takes the network down. */
  close(): Promise<Passed>
}

export const SERVER_ADDRESS = '10.77.1.1'
const CLIENT_ADDRESS = '10.77.0.1'

/** @returns why this machine can't have such a network, or null if it can */
export function networkAbsence(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root'
  if (!existsSync('/dev/net/tun')) return 'needs /dev/net/tun'
  return absenceOf('gcc', 'ip', 'nginx', 'unzip', 'zip')
}

/** Compiles the program that is the line. */
export async function compileLink({ newPath, workDir, signal }: Bench): Promise<string> {
  const program = newPath('link')
  await runCommand(['gcc', '-O2', '-o', program, join(import.meta.dir, 'link.c')], { cwd: workDir, signal })
  return program
}

/** Only root can open one. The namespaces end with `close`. */
export async function openNetwork(program: string, line: Line): Promise<Network> {
  const suffix = `${process.pid.toString(36)}${(opened++).toString(36)}`
  const [client, server] = [`hc${suffix}`, `hs${suffix}`]
  const { roundTripMs, megabitsPerSecond, loss } = line
  const link = Bun.spawn([program, client, server, `${roundTripMs}`, `${megabitsPerSecond}`, `${loss}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const output = link.stdout.getReader()
  await output.read()
  for (const [name, address] of [
    [client, CLIENT_ADDRESS],
    [server, SERVER_ADDRESS],
  ] as const) {
    ip('netns', 'add', name)
    ip('link', 'set', name, 'netns', name)
    ip('-n', name, 'link', 'set', 'lo', 'up')
    // The queue is the line's own.
    ip('-n', name, 'link', 'set', name, 'txqueuelen', '20000', 'up')
    ip('-n', name, 'addr', 'add', `${address}/32`, 'dev', name)
    ip('-n', name, 'route', 'add', '10.77.0.0/16', 'dev', name, 'congctl', 'cubic')
  }
  const on = (name: string) => ['ip', 'netns', 'exec', name]
  return {
    onClient: on(client),
    onServer: on(server),
    async close() {
      link.stdin.end()
      const { value } = await output.read()
      await link.exited
      for (const name of [client, server]) ip('netns', 'del', name)
      const [connections = Number.NaN, droppedPackets = Number.NaN] = new TextDecoder()
        .decode(value)
        .split(' ')
        .map(Number)
      return { connections, droppedPackets }
    },
  }
}

function ip(...args: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['ip', ...args])
  if (exitCode !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr.toString().trim()}`)
}

let opened = 0
