import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config, Environment } from '../config.ts'
import type { Source } from '../engine/job-order.ts'
import { readArguments } from './arguments.ts'
import { UsageError } from './command.ts'
import { readUrlList, sourceOf } from './url-list.ts'

/** The arguments of `holdall zip`. */
export interface ZipRequest {
  readonly sources: readonly Source[]
  /** Absolute path of the archive. */
  readonly output: string
  /** Whether to create the archive when some URLs cannot be fetched. */
  readonly keepGoing: boolean
  readonly asJson: boolean
  readonly config: Config
}

/** @throws UsageError */
export function readZipRequest(args: readonly string[], env: Environment): ZipRequest {
  const { own, positionals, config } = readArguments(args, env, {
    own: ['output', 'input'],
    switches: ['keep-going', 'json'],
    short: { o: 'output', i: 'input' },
    positionals: 'any',
  })
  const output = resolve(own.output ?? 'archive.zip')
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError('-o: expected a file, not a directory')
  }
  if (!statSync(dirname(output), { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError('-o: expected a file in a directory that exists')
  }
  const sources = readSources(positionals, own.input)
  if (sources.length === 0) throw new UsageError('Expected URLs, or -i LIST with one URL per line.')
  return { sources, output, config, keepGoing: own['keep-going'] === 'true', asJson: own.json === 'true' }
}

function readSources(urls: readonly string[], list: string | undefined): Source[] {
  if (list === undefined) return urls.map((url, index) => sourceOf(url, '', `URL ${index + 1}`))
  if (urls.length > 0) throw new UsageError('Expected URLs or -i LIST, not both.')
  return readUrlList(readList(list))
}

function readList(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch {
    throw new UsageError('-i: expected a file that can be read, or - for standard input')
  }
}
