import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from './sha256.ts'

/**
 * The command that runs one of the Java programs in `readers/`. They are compiled once and kept in `dist/`, since the compiler takes
 * five times as much processor time as a program.
 */
export function javaCommand(program: keyof typeof SOURCES): string[] {
  classes ??= compile()
  // For a short run, these two save more than they cost.
  return ['java', '-Xshare:auto', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', classes, program]
}

/** @returns the directory of the classes */
function compile(): string {
  const paths = Object.values(SOURCES)
  const directory = join(DIST, sha256(paths.map((path) => readFileSync(path, 'utf8')).join()).slice(0, 16))
  if (existsSync(directory)) return directory
  mkdirSync(DIST, { recursive: true })
  const unfinished = mkdtempSync(join(DIST, 'unfinished-'))
  const compiler = ['java', '-m', 'jdk.compiler/com.sun.tools.javac.Main', '-d', unfinished, ...paths]
  const { exitCode, stderr } = Bun.spawnSync(compiler)
  if (exitCode !== 0) throw new Error(`The Java readers cannot be compiled: ${stderr}`)
  try {
    renameSync(unfinished, directory)
  } catch (error) {
    // Another process of the tests was faster.
    rmSync(unfinished, { recursive: true })
    if (!existsSync(directory)) throw error
  }
  return directory
}

const READERS = join(import.meta.dir, 'readers')
const SOURCES = { ReadZip: join(READERS, 'ReadZip.java'), ListZip: join(READERS, 'ListZip.java') } as const
const DIST = join(import.meta.dir, '../../dist/readers')

let classes: string | undefined
