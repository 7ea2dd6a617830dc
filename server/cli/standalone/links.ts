import { fetchSettingsOf } from '../../config/source-settings.ts'
import { ConnectionPool } from '../../engine/connections/pool/connection-pool.ts'
import { ownChannel } from '../../engine/connections/pool/own-channel.ts'
import { openOwnGate } from '../../engine/connections/pool/own-rate.ts'
import { PageTooLarge } from '../../engine/inspection/fetch-page.ts'
import { inspectPage, NoPage } from '../../engine/inspection/inspect-page.ts'
import type { InspectedPage } from '../../engine/inspection/inspection.ts'
import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { openSourceClient } from '../../fetching/source-client.ts'
import { Semaphore } from '../../semaphore.ts'
import { FILE_KINDS, type FileKind } from '../../vocabulary.ts'
import { readArguments } from '../arguments.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import { commandProxies } from '../sources/command-proxies.ts'
import {
  assertOneInput,
  LOGIN_FLAGS,
  loginsFor,
  readGivenLogins,
  refusedAccess,
  type SourceLogins,
} from '../sources/source-logins.ts'
import { assertFetchable } from '../sources/url-list.ts'

/** `holdall links`: prints the links of a page, one URL per line, for `holdall zip -i -`. Needs no service. Takes the same logins. */
export const links: Command = async (args, { env, stopped, print }) => {
  const { positionals, own, lists, config } = readArguments(args, env, {
    own: ['kind', 'match', ...LOGIN_FLAGS],
    switches: ['folders', 'netrc'],
    short: { H: 'header' },
    positionals: 'any',
  })
  assertOneInput(lists)
  const given = readGivenLogins(lists, own.netrc === 'true', env)
  const copied = given.commands.flatMap(({ urls }) => urls)
  const [url, ...others] = new Set([...positionals, ...copied])
  if (url === undefined || others.length > 0)
    throw new UsageError('Expected one URL, or --curl FILE with a command for one.')
  assertFetchable(url, 1)
  const logins = loginsFor([{ url, filename: null }], given)
  const kind = own.kind === undefined ? null : parseKind(own.kind)
  const { match = null } = own
  using pool = new ConnectionPool({ total: config.connections, perHost: config.hostConnections })
  const fetching = fetchSettingsOf(config, commandProxies(config, env))
  using stack = new DisposableStack()
  const client = stack.use(openSourceClient(fetching, openOwnGate(fetching.bytesPerSecond, stack)))
  using page = await inspectPage(
    {
      kind: 'page',
      only: { kind, match },
      group: '',
      url,
      // What a copied command is for, the folders of its page are part of.
      originRules: logins.originRules.map((group) => group.map(({ source: _, ...rule }) => rule)),
      cookies: logins.cookies,
      readsFolders: own.folders === 'true',
      network: { allowedNetworks: config.allowNetworks, ownPort: null },
    },
    {
      connecting: {
        connectionsPerHost: config.hostConnections,
        client,
        fetching,
        nowMs: () => performance.now(),
        proxyFailed: (proxy, problem) => console.error(`The ${proxy} ${problem}.`),
        // The error of the page says it.
        hostGivenUp() {},
        openLeaseChannel: ownChannel(pool, {
          group: '',
          thread: { allowed: (count) => client.allow(count) },
        }),
      },
      largePages: new Semaphore(1),
    },
    stopped,
  ).catch((error) => {
    throw failureOf(error, stopped, logins)
  })
  for (const link of page.links) print(link.url)
  for (const note of notesOf(page)) console.error(note)
}

function parseKind(text: string): FileKind {
  const kind = FILE_KINDS.find((known) => known === text)
  if (kind === undefined) throw new UsageError(`--kind: expected one of ${FILE_KINDS.join(', ')}`)
  return kind
}

function failureOf(error: unknown, stopped: AbortSignal, logins: SourceLogins): unknown {
  if (stopped.aborted) return new CommandError('Stopped.')
  if (error instanceof PageTooLarge) return new CommandError('The page has more than 10 MB.')
  if (error instanceof NoPage) return new CommandError(error.message)
  if (!(error instanceof FetchFailure)) return error
  const { text } = error
  if (text === 'Address not allowed')
    return new CommandError(`The page can't be fetched: ${text}. Allow its network with --allow-network.`)
  const remedy = text === 'HTTP 401' || text === 'HTTP 403' ? ` ${refusedAccess(logins)}` : ''
  return new CommandError(`The page can't be fetched: ${text}.${remedy}`)
}

function notesOf({ links, total, needsScript, unreadFolders }: InspectedPage): string[] {
  const notes: string[] = []
  if (needsScript)
    notes.push('Scripts seem to make this page, and none is run: its links may be missing here.')
  if (total > links.length)
    notes.push(`The page has ${total} links. Only the first ${links.length} are looked at.`)
  if (unreadFolders.length > 0) notes.push(`${unreadFolders.length} folders could not be read.`)
  return notes
}
