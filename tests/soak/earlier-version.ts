import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, signIn } from '../support/client.ts'
import { firstMatch } from '../support/first-match.ts'
import { tempDir } from '../support/temp-dir.ts'

/** A service that runs from the sources of an earlier commit, with the packages of today. */
export interface EarlierVersion extends AsyncDisposable {
  readonly dataDir: string
  readonly client: Client
  /** Stops it as an upgrade does. @returns the exit code */
  stop(): Promise<number>
}

/** The last commit at which a migration was the newest one; null for the newest migration. */
export function lastCommitOf(migrations: readonly string[], migration: string): string | null {
  const next = migrations[migrations.indexOf(migration) + 1]
  if (next === undefined) return null
  const path = `drizzle/migrations/${next}.sql`
  return git('log', '--diff-filter=A', '--format=%h^', '--max-count=1', '--', path).trim()
}

export async function startEarlierVersion(commit: string): Promise<EarlierVersion> {
  const dir = tempDir()
  const sources = dir.file('sources')
  const archive = Bun.spawnSync(['git', 'archive', `--prefix=sources/`, commit], { cwd: ROOT })
  Bun.spawnSync(['tar', '-x', '-C', dir.path], { stdin: archive.stdout })
  symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'))
  cpSync(join(ROOT, 'dist/ui'), join(sources, 'dist/ui'), { recursive: true })
  const dataDir = dir.file('data')
  const settings = [
    '--data',
    dataDir,
    '--listen',
    '127.0.0.1:0',
    '--allow-network',
    '127.0.0.0/8',
    '--no-open',
  ]
  const child = Bun.spawn([process.execPath, join(sources, 'server/main.ts'), 'serve', ...settings], {
    cwd: dir.path,
    env: { PATH: process.env.PATH, HOME: dir.path },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const client = await signIn(await firstMatch(child.stdout, /^Sign in once, within 30 minutes: (\S+)$/m))
  return {
    dataDir,
    client,
    async stop() {
      child.kill('SIGTERM')
      return await child.exited
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
      dir[Symbol.dispose]()
    },
  }
}

function git(...args: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args], { cwd: ROOT })
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.toString()
}

const ROOT = join(import.meta.dir, '../..')
