import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { LocalArchive } from '../../archive/reading/local-archive.ts'
import type { Config } from '../../config/config.ts'
import { fetchSettingsOf } from '../../config/source-settings.ts'
import { lockTransientFile } from '../../data/file-lock.ts'
import { openOwnGate } from '../../engine/connections/pool/own-rate.ts'
import { createAddressGuard } from '../../fetching/addresses/guard.ts'
import { localAddresses } from '../../fetching/addresses/local-addresses.ts'
import { CheckedResolver } from '../../fetching/addresses/resolver.ts'
import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import type { FetchContext } from '../../fetching/fetch-url.ts'
import { OriginHeaders } from '../../fetching/headers/origin-headers.ts'
import { ProxyRoutes } from '../../fetching/proxies/proxy-routes.ts'
import { openSourceClient } from '../../fetching/source-client.ts'
import { refusalOf } from '../../files/refusal.ts'
import { refusedPath, systemFault } from '../../files/system-error.ts'
import { linkResolver } from '../../pulling/link-resolver.ts'
import { NoRoom, PartFile } from '../../pulling/part-file.ts'
import { NoArchive, type PulledFile, type PullOrder, pull as pullArchive } from '../../pulling/pull.ts'
import { RemoteChanged } from '../../pulling/remote-file.ts'
import { directoryOf } from '../../pulling/reuse-entries.ts'
import { downloadLinkOf } from '../../pulling/share-link.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { printable } from '../../text/printable.ts'
import { readArguments } from '../arguments.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import { commandProxies } from '../sources/command-proxies.ts'
import { type BytesView, bytesView } from './bytes-view.ts'
import { assertFree } from './files-beside.ts'

/** `holdall pull LINK -o FILE [--have OLD.zip]`: downloads an archive by its link. */
export const pull: Command = async (args, { env, stopped }) => {
  const { positionals, own, config } = readArguments(args, env, {
    own: ['output', 'have'],
    short: { o: 'output' },
    positionals: ['LINK'],
  })
  const link = linkOf(positionals[0] ?? '')
  const output = outputOf(own.output)
  using stack = new DisposableStack()
  const old = own.have === undefined ? null : await openOld(resolve(own.have), stack)
  const fetching = fetchSettingsOf(config, commandProxies(config, env))
  const client = stack.use(openSourceClient(fetching, openOwnGate(fetching.bytesPerSecond, stack)))
  const resolver = resolverFor(link, config, stopped)
  const originHeaders = new OriginHeaders([])
  const proxies = new ProxyRoutes(fetching.proxies, stopped)
  const context: FetchContext = { resolver, client, limits: fetching.limits, proxies, originHeaders }
  try {
    assertFree([`${output}.part`, `${output}.part.json`, `${output}.part.lock`])
    const lock = lockTransientFile(`${output}.part.lock`)
    if (lock === null)
      throw new CommandError(
        `Another command is writing ${output}. Wait for it, or choose another file with -o.`,
      )
    stack.use(lock)
    const part = stack.use(new PartFile(output))
    const downloadLink = await downloadLinkOf(link, context, stopped)
    if (downloadLink === null)
      throw new CommandError(
        'This archive is not ready, or will never be. Open the link in a browser to see.',
      )
    const pulled = await withView((view) =>
      pullArchive({ link: downloadLink, part, old, context, signal: stopped, ...view }),
    )
    part.finish(output, pulled.totalBytes)
    console.error(summaryOf(output, pulled, old !== null))
  } catch (error) {
    throw inWords(error, output, stopped)
  }
}

function linkOf(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError('LINK: expected a link that begins with http:// or https://')
  return url.href
}

function outputOf(path: string | undefined): string {
  if (path === undefined) throw new UsageError('-o: expected the file to write to')
  const output = resolve(path)
  const found = statSync(output, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile())
    throw new UsageError('-o: expected a file, not a directory or a device')
  if (!statSync(dirname(output), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError('-o: expected a file in a directory that exists')
  return output
}

async function openOld(path: string, stack: DisposableStack): Promise<PullOrder['old']> {
  const file = LocalArchive.open(path)
  if (file === null) throw new UsageError('--have: expected a ZIP file that can be read')
  stack.use(file)
  const sizeBytes = statSync(path).size
  const directory = await directoryOf(file, sizeBytes)
  if (directory === null)
    throw new UsageError('--have: expected a ZIP file that is whole. See holdall verify.')
  return {
    archive: { sizeBytes, pieces: (offset, lengthBytes) => file.pieces(offset, lengthBytes) },
    directory,
  }
}

function resolverFor(link: string, { allowNetworks }: Config, signal: AbortSignal): FetchContext['resolver'] {
  const guardOf = (networks: readonly string[]) =>
    createAddressGuard({ allowedNetworks: networks, ownPort: null }, localAddresses)
  const guard = guardOf(allowNetworks)
  return linkResolver(new URL(link).hostname, guard, {
    open: new CheckedResolver(guardOf(['0.0.0.0/0', '::/0']), signal),
    guarded: new CheckedResolver(guard, signal),
  })
}

async function withView<T>(work: (view: Pick<PullOrder, 'begun' | 'progress'>) => Promise<T>): Promise<T> {
  let view: BytesView = bytesView(null)
  try {
    return await work({
      begun(totalBytes, hereBytes) {
        view = bytesView(totalBytes)
        view.add(hereBytes)
      },
      progress: (bytes) => view.add(bytes),
    })
  } finally {
    view.end()
  }
}

function summaryOf(
  output: string,
  { totalBytes, fetchedBytes, copiedBytes }: PulledFile,
  hasOld: boolean,
): string {
  const copied = hasOld ? `, ${formatBytes(copiedBytes)} copied from the older archive` : ''
  return `${printable(output)}: ${formatBytes(totalBytes)}, ${formatBytes(fetchedBytes)} fetched${copied}`
}

function inWords(error: unknown, output: string, stopped: AbortSignal): unknown {
  if (stopped.aborted) return new CommandError('Stopped. Run the same command again to continue.')
  if (error instanceof NoArchive)
    return new CommandError(
      'The link brings no ZIP file that is whole. Check the link, or ask for another one.',
    )
  if (error instanceof RemoteChanged)
    return new CommandError('The file at the link changes while it is downloaded. Try again later.')
  if (error instanceof FetchFailure)
    return new CommandError(`The link could not be fetched: ${error.text}. ${remedyOf(error)}`)
  if (error instanceof NoRoom || systemFault(error) === 'disk-full')
    return new CommandError(
      `The disk of ${printable(output)} has no room for the archive. Free some space and run the same command again, or delete ${printable(output)}.part.`,
    )
  const path = refusedPath(error)
  return path === null ? error : new CommandError(`${path} ${refusalOf(error)}. Choose another file with -o.`)
}

function remedyOf({ text, retryable }: FetchFailure): string {
  if (text === 'Address not allowed')
    return 'It redirects to a private address: allow its network with --allow-network.'
  return retryable ? 'Run the same command again to continue.' : 'Check the link, or ask for another one.'
}
