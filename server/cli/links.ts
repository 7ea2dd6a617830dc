import { fetchSettingsOf } from '../config/source-settings.ts'
import { openOwnGate } from '../engine/connections/own-rate.ts'
import { ConnectionPool } from '../engine/connections/pool.ts'
import { PageTooLarge } from '../engine/inspection/fetch-page.ts'
import { inspectPage, NoPage } from '../engine/inspection/inspect-page.ts'
import type { InspectedPage } from '../engine/inspection/inspection.ts'
import { FetchFailure } from '../fetching/fetch-failure.ts'
import { openSourceClient } from '../fetching/request.ts'
import { matchesGlob } from '../text/glob.ts'
import { FILE_KINDS, type FileKind } from '../vocabulary.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import { commandProxies } from './command-proxies.ts'
import { assertFetchable } from './url-list.ts'

/** `holdall links`: prints the links of a page, one URL per line, for `holdall zip -i -`. Needs no service. */
export const links: Command = async (args, { env, stopped, print }) => {
  const { positionals, own, config } = readArguments(args, env, {
    own: ['kind', 'match'],
    switches: ['folders'],
    positionals: ['URL'],
  })
  const [url = ''] = positionals
  assertFetchable(url, 1)
  const kind = own.kind === undefined ? null : parseKind(own.kind)
  const { match: pattern = '*' } = own
  using connections = new ConnectionPool({ total: config.connections, perHost: config.hostConnections })
  const fetching = fetchSettingsOf(config, commandProxies(config, env))
  using stack = new DisposableStack()
  const client = stack.use(openSourceClient(fetching, openOwnGate(fetching.bytesPerSecond, stack)))
  const page = await inspectPage(
    {
      kind: 'page',
      group: '',
      url,
      originRules: [],
      readsFolders: own.folders === 'true',
      network: { allowedNetworks: config.allowNetworks, ownPort: null },
    },
    {
      connectionsPerHost: config.hostConnections,
      client,
      fetching,
      nowMs: () => performance.now(),
      openLeaseChannel(listener) {
        const thread = { allowed: (count: number) => client.allow(count) }
        const holder = { ...listener, group: '', thread }
        return {
          request: (host, use) => connections.request(holder, host, use),
          release: (host, verdict, use) => connections.release(holder, host, verdict, use),
          raise: (host, count) => connections.raise(host, count),
        }
      },
    },
    stopped,
  ).catch((error) => {
    throw failureOf(error, stopped)
  })
  for (const link of page.links)
    if ((kind === null || link.kind === kind) && matchesGlob(link.url, pattern)) print(link.url)
  for (const note of notesOf(page)) console.error(note)
}

function parseKind(text: string): FileKind {
  const kind = FILE_KINDS.find((known) => known === text)
  if (kind === undefined) throw new UsageError(`--kind: expected one of ${FILE_KINDS.join(', ')}`)
  return kind
}

function failureOf(error: unknown, stopped: AbortSignal): unknown {
  if (stopped.aborted) return new CommandError('Stopped.')
  if (error instanceof PageTooLarge) return new CommandError('The page has more than 10 MB.')
  if (error instanceof NoPage) return new CommandError(error.message)
  if (!(error instanceof FetchFailure)) return error
  const hint = error.text === 'Address not allowed' ? ' Allow its network with --allow-network.' : ''
  return new CommandError(`The page can't be fetched: ${error.text}.${hint}`)
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
