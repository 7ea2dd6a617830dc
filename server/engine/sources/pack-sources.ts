import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { type ArchiveToVerify, EntryVerification } from '../base/verification.ts'
import type { BlockQueue } from '../bodies/block-queue.ts'
import type { InPlaceBody } from '../bodies/in-place.ts'
import type { StoredEntry } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'
import type { HostConnection } from '../connections/host-connection.ts'
import type { JobOrder } from '../job-order.ts'
import { NamesAsDecided } from '../settling/names-as-decided.ts'
import { Settling, type SettlingArchive } from '../settling/settling.ts'
import { copyOfFailed, copyUnasked } from './copy-from-base.ts'
import { FailedSources, type FailingArchive } from './failed-sources.ts'
import { forEachSource } from './for-each-source.ts'
import { groupByHost, type ListedSource } from './listed-source.ts'
import { type Packing, packSource } from './pack-source.ts'

/** What packing all sources of a job uses. */
export interface PackingOfAll extends Packing, Pick<JobOrder, 'sources' | 'earlyReaders'> {
  readonly archive: Packing['archive'] &
    ArchiveToVerify &
    FailingArchive & {
      readonly file: SettlingArchive['file']
      readonly checkpointer: SettlingArchive['checkpointer'] & Pick<Checkpointer, 'settleWith'>
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
 * Fetches or copies all sources that the checkpoint does not have, and packs them. Then it packs those again of which an entry is found
 * to be damaged or doubtful.
 * @throws SourcesFailed when too many sources failed; the packed ones are in the checkpoint
 */
export async function packSources(packing: PackingOfAll): Promise<void> {
  const { sources, failOnUrlError, archive, doubts } = packing
  const { checkpointer, blocks, signal } = archive
  using failed = new FailedSources(archive, sources.length, failOnUrlError)
  await dropUnfit(packing)
  await using verification = new EntryVerification(archive)
  const names = new NamesAsDecided()
  const hosts = await groupByHost(sources, signal, ({ filename }) => names.list(filename))
  // Not before all is read back: an entry that is damaged must not be settled.
  void verification.damaged.then(() => settleFor(packing, names))

  const alreadyStored = new Set<number>()
  const packOne = async (source: ListedSource, connection: HostConnection): Promise<void> => {
    const known = checkpointer.known.entry(source.position)
    if (known?.status === 'stored') alreadyStored.add(source.position)
    else if (known?.status === 'failed') failed.fail(source.position, known.error, known.warning)
    else await copyOrPack(packing, source, connection)
  }
  const packAll = (isChosen: (position: number) => boolean) =>
    forEachSource(hosts, {
      connect: packing.connect,
      connectionsPerHost: packing.connectionsPerHost,
      signal,
      pack: async (source, connection) => {
        if (isChosen(source.position)) await packOne(source, connection)
      },
      onError: ({ position }, error) => failed.add(position, error),
    })

  await packAll(() => true)
  const damaged = new Set(failed.haveFailedJob() ? [] : await verification.damaged)
  // The other damaged entries were dropped before their turn came, so they have already been fetched again.
  const missing = damaged.intersection(alreadyStored)
  if (missing.size > 0) await packAll((position) => missing.has(position))
  // Also when the job ends now: a later run must not take the doubtful ones for good.
  await blocks.drain()
  const doubtful = doubts.take()
  if (doubtful.size > 0) {
    await archive.dropStored(checkpointer.known.stored().filter(({ position }) => doubtful.has(position)))
    await packAll((position) => doubtful.has(position))
    await blocks.drain()
  }
  failed.throwIfJobFailed()
}

/** Drops entries that an earlier run has taken with other options: then it took warnings for no failures, or hashed nothing. */
async function dropUnfit({ archive, failOnWarning, hasManifest }: PackingOfAll): Promise<void> {
  const isUnfit = ({ warning, sha256 }: StoredEntry) =>
    (failOnWarning && warning !== null) || (hasManifest && sha256 === null)
  const unfit = archive.checkpointer.known.stored().filter(isUnfit)
  if (unfit.length > 0) await archive.dropStored(unfit)
}

/** Settles the beginning of the archive while somebody reads it, if its job may be read early. */
function settleFor(
  { archive, earlyReaders, failOnUrlError, doubts }: PackingOfAll,
  names: NamesAsDecided,
): void {
  if (earlyReaders === null || archive.signal.aborted) return
  const settling = new Settling(archive, { failOnUrlError, names, doubts })
  archive.checkpointer.settleWith(settling, () => Atomics.load(earlyReaders, 0) > 0)
}

async function copyOrPack(
  packing: PackingOfAll,
  source: ListedSource,
  connection: HostConnection,
): Promise<void> {
  const earlier = packing.resumed.get(source.position) ?? null
  if (earlier === null && packing.base?.reuse === 'all') {
    // A copy needs no connection, and thousands of copies may follow.
    connection.release('healthy')
    if (await copyUnasked(packing, source)) return
  }
  try {
    await packSource(packing, source, connection, earlier)
  } catch (error) {
    if (!(error instanceof FetchFailure) || !(await copyOfFailed(packing, source, error.text))) throw error
  }
}
