import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from './temp-dir.ts'

const ROOT = join(import.meta.dir, '../..')

/** The files of this project in another directory, with packages of their own. */
export interface Checkout extends Disposable {
  readonly path: string
  /** Runs a script of package.json. @throws when it fails */
  run(...script: readonly string[]): Promise<void>
}

/** Copies the files as they are now, with the commits, and installs the packages. */
export async function checkOutElsewhere(): Promise<Checkout> {
  using stack = new DisposableStack()
  const dir = stack.use(tempDir())
  const path = dir.file('checkout')
  await command(['git', 'clone', '--quiet', '--shared', ROOT, path], ROOT)
  const listed = await Bun.$`git ls-files -z --cached --others --exclude-standard`.cwd(ROOT).text()
  for (const name of listed.split('\0').filter((each) => each !== ''))
    cpSync(join(ROOT, name), join(path, name), { recursive: true })
  await command([process.execPath, 'install', '--frozen-lockfile'], path)
  const owned = stack.move()
  return {
    path,
    run: (...script) => command([process.execPath, 'run', ...script], path),
    [Symbol.dispose]: () => owned.dispose(),
  }
}

async function command(args: string[], cwd: string): Promise<void> {
  const child = Bun.spawn(args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (child.exitCode !== 0) throw new Error(`${args.join(' ')} failed: ${errors}${output}`)
}
