import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config, Environment } from '../../config/config.ts'
import type { BaseOrder, SourcesInMemory } from '../../engine/job-order.ts'
import type { ProxySettings } from '../../fetching/proxies/proxy.ts'
import { REUSE_MODES } from '../../vocabulary.ts'
import { readArguments } from '../arguments.ts'
import { UsageError } from '../command.ts'
import { commandProxies } from '../sources/command-proxies.ts'
import {
  assertOneInput,
  LOGIN_FLAGS,
  loginsFor,
  readGivenLogins,
  type SourceLogins,
} from '../sources/source-logins.ts'
import { readTextFile } from '../sources/text-file.ts'
import { assertFetchable, readUrlList, type UrlList } from '../sources/url-list.ts'
import { findInArchive } from './records/archive-record.ts'

/** The arguments of `holdall zip`. */
export interface ZipRequest {
  readonly sources: SourcesInMemory
  /** Absolute path of the archive. */
  readonly output: string
  /** Whether to create the archive when some URLs cannot be fetched. */
  readonly keepGoing: boolean
  /** Whether a file that would get a warning counts as failed. */
  readonly failOnWarning: boolean
  /** Whether the archive gets a list of its sources and of their checksums. */
  readonly hasManifest: boolean
  /** Lines of the list that have no URL to fetch, and are left out. */
  readonly unfetchable: readonly string[]
  /** Lines of the list of which only the first URL is fetched. */
  readonly mirrors: readonly string[]
  readonly base: BaseOrder | null
  /** Whether to write the record of the archive, so that it can be a base. */
  readonly remember: boolean
  readonly asJson: boolean
  readonly proxies: ProxySettings
  readonly logins: SourceLogins
  readonly config: Config
}

/** @throws UsageError */
export function readZipRequest(args: readonly string[], env: Environment): ZipRequest {
  const { own, lists, positionals, config } = readArguments(args, env, {
    own: ['output', 'input', 'base', 'reuse', ...LOGIN_FLAGS],
    switches: ['keep-going', 'fail-on-warning', 'manifest', 'remember', 'json', 'netrc'],
    short: { o: 'output', i: 'input', H: 'header' },
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
  assertOneInput(lists)
  const given = readGivenLogins(lists, own.netrc === 'true', env)
  const copied = given.commands.flatMap(({ urls }) => urls)
  const { sources, unfetchable, mirrors } = readSources(positionals, own.input, copied)
  if (unfetchable.length > 0 && !keepGoing) throw new UsageError(refusalOf(unfetchable))
  if (sources.length === 0)
    throw new UsageError('Expected URLs, -i LIST with one URL per line, or --curl FILE.')
  const base = readBase(own.base, own.reuse)
  return {
    sources: base === null ? sources : findInArchive(base.path, sources),
    output,
    config,
    keepGoing,
    failOnWarning: own['fail-on-warning'] === 'true',
    hasManifest: own.manifest === 'true',
    unfetchable,
    mirrors,
    base,
    remember: own.remember === 'true' || base !== null,
    asJson: own.json === 'true',
    proxies: commandProxies(config, env),
    logins: loginsFor(sources, given),
  }
}

function readBase(path: string | undefined, reuse = 'unchanged'): BaseOrder | null {
  const mode = REUSE_MODES.find((known) => known === reuse)
  if (mode === undefined) throw new UsageError(`--reuse: expected ${REUSE_MODES.join(' or ')}`)
  if (path !== undefined) return { path: resolve(path), link: null, reuse: mode, keepFrom: null }
  if (reuse !== 'unchanged') throw new UsageError('--reuse: expected with --base')
  return null
}

/** @param copied the URLs of copied commands, which come last */
function readSources(urls: readonly string[], list: string | undefined, copied: readonly string[]): UrlList {
  if (list !== undefined && urls.length > 0) throw new UsageError('Expected URLs or -i LIST, not both.')
  const named = [...urls, ...copied]
  for (const [index, url] of named.entries()) assertFetchable(url, index + 1)
  const further = named.map((url) => ({ url, filename: null }))
  if (list === undefined) return { sources: further, unfetchable: [], mirrors: [] }
  const read = readUrlList(readTextFile('-i', list))
  return further.length === 0 ? read : { ...read, sources: [...read.sources, ...further] }
}

function refusalOf([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` (and ${others.length} more lines)`
  return `${first}${more} With --keep-going, such lines are left out.`
}
