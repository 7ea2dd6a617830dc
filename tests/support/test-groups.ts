import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What may run beside a test file, and in which check:
 * - `short`: beside others, in `bun run check`. The group of every file without a mark.
 * - `idle`: as `short`. It takes less than a tenth of a processor, so that it runs beside two busy ones.
 * - `long`: beside others, in `bun run check:full` alone. It takes four seconds or more of a check.
 * - `prompt`: in `bun run check:full` alone, without more processes than processors, since it depends on how soon a thread runs.
 * - `prompt-idle`: as `prompt`. It takes less than a fifth of a processor, so that it runs beside two busy ones.
 */
export type TestGroup = (typeof GROUPS)[number]

const GROUPS = ['short', 'idle', 'long', 'prompt', 'prompt-idle'] as const

/** @param path a test file, relative to `tests/` */
export function groupOf(path: string): TestGroup {
  try {
    return markedGroup(readFileSync(join(TESTS_DIR, path), 'utf8'))
  } catch (error) {
    throw new Error(`tests/${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * The group that a test file names in its first line: `// test group: long`.
 * @throws if it names no group, or in another line
 */
export function markedGroup(text: string): TestGroup {
  const mark = MARK.exec(text)
  if (mark === null) return 'short'
  const group = GROUPS.find((name) => mark[0] === `// test group: ${name}`)
  if (group === undefined) throw new Error(`"${mark[0]}" names none of the groups ${GROUPS.join(', ')}.`)
  if (mark.index > 0) throw new Error(`"${mark[0]}" must be the first line.`)
  return group
}

const MARK = /^[ \t]*\/\/[ \t]*test[ -]?group.*$/im
const TESTS_DIR = join(import.meta.dir, '..')
