import { FetchFailure, zipSizeLimitText } from '../../fetching/attempts/fetch-failure.ts'
import { unpausedTimeout } from '../../time/unpaused-time.ts'
import type { BaseArchive } from '../base/base-archive.ts'
import { EntryVerification, type VerifiedJob } from '../base/verification.ts'
import type { BlockQueue } from '../bodies/block-queue.ts'
import type { InPlaceBody } from '../bodies/in-place.ts'
import type { EntryWarning, StoredEntry } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'
import type { HostConnection } from '../connections/host-connection.ts'
import { SourcesFailed } from '../job-failure.ts'
import type { JobOrder } from '../job-order.ts'
import { ZipSizeExceeded } from '../limits/size.ts'
import type { ProgressMeter } from '../progress-meter.ts'
import { FinalNames } from '../settling/final-names.ts'
import { Settling, type SettlingJob } from '../settling/settling.ts'
import { type EachSource, forEachSource } from './for-each-source.ts'
import { groupByHost, type ListedSource } from './listed-source.ts'
import { digestsOf, isCopyWanted, type Packing, packSource } from './pack-source.ts'

/** What packing all sources of a job uses. */
export interface PackingOfAll extends Packing {
  readonly archive: Packing['archive'] &
    VerifiedJob & {
      readonly meter: Pick<ProgressMeter, 'entry'>
      readonly checkpointer: SettlingJob['checkpointer'] &
        Pick<Checkpointer, 'entry' | 'fail' | 'failedCount' | 'storedEntries' | 'settleWith'>
      readonly blocks: Pick<BlockQueue, 'drain'>
    }
  /** The bodies that an earlier run began to receive, by the positions of their URLs. */
  readonly resumed: ReadonlyMap<number, InPlaceBody>
  /** Returns a connection that is not open yet. */
  readonly connect: () => HostConnection
  /** The most connections that one host ever gets. */
  readonly connectionsPerHost: number
}

/**
 * Fetches or copies all sources that the checkpoint does not have, and packs them.
 * @throws SourcesFailed when too many sources failed; the packed ones are in the checkpoint
 */
export async function packSources(order: JobOrder, packing: PackingOfAll): Promise<void> {
  const { archive, connect, connectionsPerHost, doubts } = packing
  const { checkpointer, diskSpace, file, meter, signal } = archive
  using timers = new DisposableStack()
  let isInGrace = false
  const fail = (position: number, error: string, warning: EntryWarning | null = null) => {
    checkpointer.fail(position, error, warning)
    meter.entry({ ...NOTHING_OF_IT, position, status: 'failed', error, warning })
    if (!order.failOnUrlError || isInGrace) return
    isInGrace = true
    timers.use(unpausedTimeout(STRICT_GRACE_MS, () => archive.abort(new GraceOver())))
  }
  const onError = ({ position }: ListedSource, error: unknown) => {
    if (error instanceof FetchFailure) return fail(position, error.text, loginWarning(error))
    if (error instanceof ZipSizeExceeded) fail(position, zipSizeLimitText(error.maxBytes))
    archive.abort(error)
  }

  const skipped = new Set<number>()
  const pack = async (source: ListedSource, connection: HostConnection): Promise<void> => {
    const known = checkpointer.entry(source.position)
    if (known?.status === 'stored') skipped.add(source.position)
    else if (known?.status === 'failed') fail(source.position, known.error, known.warning)
    else {
      const { base } = packing
      const earlier = packing.resumed.get(source.position) ?? null
      const isCopied =
        earlier === null && base?.reuse === 'all' && (await copy(packing, base, source, connection))
      if (!isCopied) await packOrKeep(packing, source, connection, earlier)
    }
  }
  const hasFailed = () => {
    const failedCount = checkpointer.failedCount()
    if (order.failOnUrlError && failedCount > 0) return true
    // If no source has answered, the old archive is as good.
    return failedCount + keptCount() === order.sources.length
  }

  const keptCount = () =>
    packing.base?.keepFrom == null
      ? 0
      : checkpointer.storedEntries().filter(({ kept }) => kept !== null).length

  if (order.failOnWarning) await dropStored(archive, ({ warning }) => warning !== null)
  if (order.hasManifest) await dropStored(archive, ({ sha256 }) => sha256 === null)
  const packEach = (pack: EachSource['pack']) =>
    forEachSource(hosts, { connect, pack, onError, signal, connectionsPerHost })
  const packAgain = async (positions: ReadonlySet<number>): Promise<void> => {
    await packEach(async (source, connection) => {
      if (positions.has(source.position)) await pack(source, connection)
    })
  }

  await using verification = new EntryVerification(archive)
  const names = new FinalNames()
  const hosts = await groupByHost(order.sources, signal, ({ filename }) => names.list(filename))
  // Not before all is read back: an entry that is damaged must not be settled.
  void verification.damaged.then(() => {
    const { earlyReaders } = order
    if (earlyReaders === null || signal.aborted) return
    const isStrict = order.failOnUrlError
    const settling = new Settling({ file, checkpointer, diskSpace, signal, names, doubts, isStrict })
    checkpointer.settleWith(settling, () => Atomics.load(earlyReaders, 0) > 0)
  })
  await packEach(pack)
  const damaged = new Set(hasFailed() ? [] : await verification.damaged)
  // The other damaged entries were dropped before `pack` reached them, so they have already been fetched again.
  const missing = damaged.intersection(skipped)
  if (missing.size > 0) await packAgain(missing)
  // Also when the job ends now: a later run must not take them for good.
  await archive.blocks.drain()
  const doubtful = doubts.take()
  if (doubtful.size > 0) {
    await archive.dropStored(checkpointer.storedEntries().filter(({ position }) => doubtful.has(position)))
    await packAgain(doubtful)
    await archive.blocks.drain()
  }
  timers.dispose()

  if (signal.aborted && !(signal.reason instanceof GraceOver)) throw signal.reason
  if (hasFailed())
    throw new SourcesFailed(
      checkpointer.failedCount() + keptCount(),
      order.sources.length,
      order.failOnUrlError && checkpointer.failedCount() > 0,
    )
}

const NOTHING_OF_IT = { name: null, sizeBytes: 0, expectedBytes: null, sha256: null } as const

/** Packs a source. If it fails, copies its entry from the base, in a job that keeps such entries. */
async function packOrKeep(
  packing: PackingOfAll,
  source: ListedSource,
  connection: HostConnection,
  earlier: InPlaceBody | null,
): Promise<void> {
  try {
    await packSource(packing, source, connection, earlier)
  } catch (error) {
    if (!(error instanceof FetchFailure) || !(await keep(packing, source, error.text))) throw error
  }
}

/** False if the base has no such entry, or a damaged one. */
async function keep(packing: PackingOfAll, source: ListedSource, error: string): Promise<boolean> {
  const { base, archive } = packing
  if (base === null || base.keepFrom === null) return false
  const wanted = await source.read()
  const { base: entry } = wanted
  if (entry === undefined || !isCopyWanted(packing, wanted, entry)) return false
  const fetched = packing.hasManifest ? entry.fetched : null
  const kept = { from: entry.keptFrom ?? base.keepFrom, error }
  return await base.copy(archive, source.position, entry, { ...digestsOf(packing, wanted), fetched, kept })
}

/** An earlier run may have had other options: then it took warnings for no failures, or hashed nothing. */
async function dropStored(
  archive: PackingOfAll['archive'],
  isUnfit: (entry: StoredEntry) => boolean,
): Promise<void> {
  const unfit = archive.checkpointer.storedEntries().filter(isUnfit)
  if (unfit.length > 0) await archive.dropStored(unfit)
}

/** Copies the entry of a source from the base. False if there is none, or it is damaged. */
async function copy(
  packing: Packing,
  base: BaseArchive,
  source: ListedSource,
  connection: HostConnection,
): Promise<boolean> {
  // A copy needs no connection, and thousands of copies may follow.
  connection.release('healthy')
  const wanted = await source.read()
  const { base: entry } = wanted
  if (entry === undefined || !isCopyWanted(packing, wanted, entry)) return false
  // Nothing is asked of the source, so the copy comes from where the entry came from.
  const fetched = packing.hasManifest ? entry.fetched : null
  return await base.copy(packing.archive, source.position, entry, {
    ...digestsOf(packing, wanted),
    fetched,
  })
}

/** Names the saved login that a source has refused. */
export function loginWarning({ refusedLogin }: FetchFailure): EntryWarning | null {
  if (refusedLogin === null) return null
  return { code: 'LOGIN_REFUSED', message: `The saved login for ${refusedLogin.name} may have expired.` }
}

/** Ends a strict job some time after its first failed URL. */
class GraceOver extends Error {}

/** Long enough to find most dead links of a list in one run. Bodies that are fetched meanwhile are kept. */
const STRICT_GRACE_MS = 10_000
