import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config, Environment } from '../config/config.ts'
import type { BaseOrder, SourcesInMemory } from '../engine/job-order.ts'
import { decodeText } from '../text/decode-text.ts'
import { REUSE_MODES } from '../vocabulary.ts'
import { findInArchive } from './archive-record.ts'
import { readArguments } from './arguments.ts'
import { UsageError } from './command.ts'
import { assertFetchable, readUrlList, type UrlList } from './url-list.ts'

/** The arguments of `holdall zip`. */
export interface ZipRequest {
  readonly sources: SourcesInMemory
  /** Absolute path of the archive. */
  readonly output: string
  /** Whether to create the archive when some URLs cannot be fetched. */
  readonly keepGoing: boolean
  /** Whether what would get a warning is a URL that cannot be fetched. */
  readonly failOnWarning: boolean
  /** Lines of the list that have no URL to fetch, and are left out. */
  readonly unfetchable: readonly string[]
  /** Lines of the list of which only the first URL is fetched. */
  readonly mirrors: readonly string[]
  readonly base: BaseOrder | null
  /** Whether to write the record of the archive, so that it can be a base. */
  readonly remember: boolean
  readonly asJson: boolean
  readonly config: Config
}

/** @throws UsageError */
export function readZipRequest(args: readonly string[], env: Environment): ZipRequest {
  const { own, positionals, config } = readArguments(args, env, {
    own: ['output', 'input', 'base', 'reuse'],
    switches: ['keep-going', 'fail-on-warning', 'remember', 'json'],
    short: { o: 'output', i: 'input' },
    positionals: 'any',
  })
  const output = resolve(own.output ?? 'archive.zip')
  const found = statSync(output, { throwIfNoEntry: false })
  // The archive would replace it, also a device such as /dev/null.
  if (found !== undefined && !found.isFile()) {
    throw new UsageError(
      `-o: expected a file, not ${found.isDirectory() ? 'a directory' : 'a device or a pipe'}`,
    )
  }
  if (!statSync(dirname(output), { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError('-o: expected a file in a directory that exists')
  }
  const keepGoing = own['keep-going'] === 'true'
  const { sources, unfetchable, mirrors } = readSources(positionals, own.input)
  if (unfetchable.length > 0 && !keepGoing) throw new UsageError(refusalOf(unfetchable))
  if (sources.length === 0) throw new UsageError('Expected URLs, or -i LIST with one URL per line.')
  const base = readBase(own.base, own.reuse)
  return {
    sources: base === null ? sources : findInArchive(base.path, sources),
    output,
    config,
    keepGoing,
    failOnWarning: own['fail-on-warning'] === 'true',
    unfetchable,
    mirrors,
    base,
    remember: own.remember === 'true' || base !== null,
    asJson: own.json === 'true',
  }
}

function readBase(path: string | undefined, reuse = 'unchanged'): BaseOrder | null {
  const mode = REUSE_MODES.find((known) => known === reuse)
  if (mode === undefined) throw new UsageError(`--reuse: expected ${REUSE_MODES.join(' or ')}`)
  if (path !== undefined) return { path: resolve(path), link: null, reuse: mode }
  if (reuse !== 'unchanged') throw new UsageError('--reuse: expected with --base')
  return null
}

function readSources(urls: readonly string[], list: string | undefined): UrlList {
  if (list === undefined) {
    for (const [index, url] of urls.entries()) assertFetchable(url, index + 1)
    return { sources: urls.map((url) => ({ url, filename: null })), unfetchable: [], mirrors: [] }
  }
  if (urls.length > 0) throw new UsageError('Expected URLs or -i LIST, not both.')
  return readUrlList(readList(list))
}

function refusalOf([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` (and ${others.length} more lines)`
  return `${first}${more} With --keep-going, such lines are left out.`
}

function readList(path: string): string {
  try {
    return decodeText(readFileSync(path === '-' ? 0 : path))
  } catch {
    throw new UsageError('-i: expected a file that can be read, or - for standard input')
  }
}
