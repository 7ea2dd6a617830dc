import { FetchFailure, zipSizeLimitText } from '../../fetching/attempts/fetch-failure.ts'
import { checkStatus } from '../../fetching/content/check-status.ts'
import { decodedBody } from '../../fetching/content/decode.ts'
import {
  conditionsFor,
  isUnchanged,
  type ResumePoint,
  rangeFrom,
  relationTo,
} from '../../fetching/content/validator.ts'
import { type FetchContext, type FetchedResponse, fetchUrl } from '../../fetching/fetch-url.ts'
import { parseSourceUrl, type SourceUrl } from '../../fetching/source-url.ts'
import { sourceGarbageBytes } from '../../garbage.ts'
import type { BaseArchive } from '../base/base-archive.ts'
import { BEGINNING_BYTES, BodyBeginning } from '../bodies/body-warning.ts'
import { collectBody } from '../bodies/collect-body.ts'
import { bodyFacts } from '../bodies/facts.ts'
import { type InMemoryArchive, InMemoryBody } from '../bodies/in-memory.ts'
import { type DeclaredFacts, type InPlaceArchive, InPlaceBody } from '../bodies/in-place.ts'
import { type BodyFacts, IN_PLACE_BODY_BYTES, type IncomingBody } from '../bodies/incoming-body.ts'
import type { HostConnection } from '../connections/host-connection.ts'
import { isCut } from '../connections/lease.ts'
import { withRetries } from '../connections/with-retries.ts'
import type { BaseEntry, JobOrder, SourceToPack } from '../job-order.ts'
import { fetchRecord } from '../manifest/fetch-record.ts'
import type { LateDoubts } from '../settling/late-doubts.ts'
import { type CopyingFromBase, digestsOf, isCopyWanted } from './copy-from-base.ts'
import { judgeBody } from './judge-body.ts'
import type { ListedSource } from './listed-source.ts'
import { receiveBody } from './receive-body.ts'
import type { ReceivingJob } from './receive-segments.ts'

/** What packing a source uses of its job. */
export interface Packing extends CopyingFromBase, Pick<JobOrder, 'failOnUrlError' | 'maxDeclaredBytes'> {
  readonly fetchContext: FetchContext
  readonly archive: ReceivingArchive & CopyingFromBase['archive']
  readonly doubts: LateDoubts
}

/** What a body uses of the archive, in memory or in place. */
type ReceivingArchive = ReceivingJob['archive'] & InMemoryArchive & InPlaceArchive

/**
 * Fetches one source and packs it, in several attempts if one fails. Keeps the connection open for the next source if all went
 * well.
 * @param earlier the part of its body that an earlier run received, if any
 * @throws FetchFailure when the source can't be fetched; any other error ends the job
 */
export async function packSource(
  packing: Packing,
  listed: ListedSource,
  connection: HostConnection,
  earlier: InPlaceBody | null,
): Promise<void> {
  const beginning = new BodyBeginning(await earlier?.beginning(BEGINNING_BYTES))
  const attempts = new SourceAttempts(packing, listed, earlier, beginning)
  const { limits } = packing.fetchContext
  const { signal } = packing.archive
  connection.serves(listed.position)
  try {
    await withRetries(
      { limits, signal },
      connection,
      () => attempts.make(connection),
      (error) => attempts.brokeOff(error),
    )
  } catch (error) {
    await attempts.end(error)
    throw error
  }
}

/** The attempts to fetch one source, and what they have received of it. */
class SourceAttempts {
  readonly #packing: Packing
  readonly #listed: ListedSource
  #incoming: IncomingBody | null
  /** The archive whose entry the source may call unchanged. Null once that was found damaged. */
  #base: BaseArchive | null
  #beginning: BodyBeginning
  /** What the attempts before this one have received, and is kept. */
  #receivedBytes: number
  #hadOtherDigest = false

  constructor(
    packing: Packing,
    listed: ListedSource,
    earlier: IncomingBody | null,
    beginning: BodyBeginning,
  ) {
    this.#packing = packing
    this.#listed = listed
    this.#incoming = earlier
    this.#beginning = beginning
    this.#receivedBytes = earlier?.receivedBytes ?? 0
    this.#base = packing.base?.reuse === 'unchanged' ? packing.base : null
  }

  async make(connection: HostConnection): Promise<void> {
    for (;;) {
      const asked = await this.#ask(connection)
      using _response = asked.response
      if (asked.unchanged === null) return await this.#receiveAndPack(asked, connection)
      if (await this.#takeUnchanged(asked, asked.unchanged, connection)) return
      this.#base = null
    }
  }

  async #ask(connection: HostConnection): Promise<Asked> {
    const { archive, fetchContext } = this.#packing
    const { host } = this.#listed
    // The connection first: thousands of sources may wait for a connection, and their URLs need no memory meanwhile.
    if (host !== '') await connection.switchTo(host)
    const source = await this.#listed.read()
    archive.garbage.counted(sourceGarbageBytes(source))
    const submitted = parseSourceUrl(source.url)
    const earlier = this.#incoming === null ? this.#copyable(source) : null
    const conditions = earlier && conditionsFor(earlier.entry, submitted)
    const resumePoint = this.#incoming?.resumePoint() ?? null
    const headersFor = conditions ?? rangeFrom(resumePoint, submitted)
    const response = await fetchUrl(submitted, headersFor, fetchContext, connection)
    connection.answered()
    const hasConditions = conditions !== null && conditions(response.url) !== null
    const unchanged = response.status === 304 && hasConditions ? earlier : null
    return { source, submitted, resumePoint, response, unchanged }
  }

  /** The entry of the base that the source may call unchanged. */
  #copyable(source: SourceToPack): EarlierEntry | null {
    const base = this.#base
    const { base: entry } = source
    if (base === null || entry === undefined || !isCopyWanted(this.#packing, source, entry)) return null
    return { base, entry }
  }

  /**
   * Copies the entry that the source calls unchanged.
   * @returns false when it has not asked about that one, or when the entry is damaged
   */
  async #takeUnchanged(
    { source, submitted, response }: Asked,
    { base, entry }: EarlierEntry,
    connection: HostConnection,
  ): Promise<boolean> {
    // A copy needs no connection.
    response[Symbol.dispose]()
    connection.release('healthy')
    if (!isUnchanged(entry, response)) return false
    const { archive, doubts, hasManifest } = this.#packing
    const { position } = this.#listed
    const fetched = hasManifest ? fetchRecord(submitted, response, Date.now(), entry) : null
    const about = { ...digestsOf(this.#packing, source), fetched, kept: null }
    const isCopied = await base.copy(archive, position, entry, about)
    if (isCopied) doubts.stored(position, response.doubtfulWith)
    return isCopied
  }

  async #receiveAndPack(asked: Asked, connection: HostConnection): Promise<void> {
    const { archive, doubts, hasManifest } = this.#packing
    const { position } = this.#listed
    const { source, submitted, response } = asked
    const isRest = await this.#checkFit(asked)
    const namesAskedFor = [submitted.pathname, source.filename ?? '']
    const decoded = isRest
      ? null
      : decodedBody(response, namesAskedFor, (body) => collectBody(archive, position, body))
    const { isHashed, wanted } = digestsOf(this.#packing, source)
    const named = { url: submitted, filename: source.filename, isHashed }
    this.#incoming ??= beginBody(this.#packing, bodyFacts(position, named, response, decoded !== null))
    const incoming = this.#incoming
    const received = { incoming, beginning: this.#beginning, decoded }
    this.#beginning = await receiveBody(this.#packing, received, response, connection)
    const beginning = this.#beginning
    const warning = judgeBody(this.#packing, { source, submitted, response, incoming, beginning })
    const sha256 = isHashed ? await incoming.sha256() : null
    if (wanted !== null && sha256 !== wanted) await this.#failByDigest()
    const fetched = hasManifest ? fetchRecord(submitted, response, Date.now()) : null
    await incoming.finish({ warning, sha256, fetched })
    // A part that fits where it was asked for is beyond doubt.
    doubts.stored(position, response.doubtfulWith)
  }

  /**
   * Keeps what was received only if the next attempt can resume it.
   * @returns how many bytes the attempt brought that are kept
   */
  async brokeOff(error: unknown): Promise<number> {
    if (!(error instanceof FetchFailure || isCut(error))) return 0
    const incoming = this.#incoming
    const isKept = incoming !== null && incoming.resumePoint() !== null && (await incoming.pause())
    const furtherBytes = isKept ? Math.max(0, incoming.receivedBytes - this.#receivedBytes) : 0
    if (!isKept) await this.#discard()
    this.#receivedBytes = this.#incoming?.receivedBytes ?? 0
    return furtherBytes
  }

  /** Releases what was received. When the job fails with it, a body that a later run may resume keeps its place in the archive. */
  async end(error: unknown): Promise<void> {
    const incoming = this.#incoming
    const isPart = incoming instanceof InPlaceBody && incoming.receivedBytes < incoming.facts.declaredBytes
    const isKept = this.#packing.failOnUrlError && isPart && incoming.resumePoint() !== null
    if (!(error instanceof FetchFailure)) incoming?.close()
    else if (!isKept) await this.#discard()
  }

  /**
   * Discards what was received, unless the response continues it.
   * @returns whether it does
   * @throws FetchFailure when the response brings no body, or one that does not fit
   */
  async #checkFit({ response, resumePoint, submitted }: Asked): Promise<boolean> {
    const relation = relationTo(resumePoint, response, submitted)
    if (relation !== 'unfit') checkStatus(response)
    if (relation !== 'rest') await this.#discard()
    if (relation !== 'unfit') return relation === 'rest'
    if (resumePoint === null) throw new FetchFailure('Malformed response')
    throw new FetchFailure('Source changed during the download', { retryable: true })
  }

  /** Throws. Something on the way may have changed the body, so it is fetched once more. */
  async #failByDigest(): Promise<never> {
    const retryable = !this.#hadOtherDigest
    this.#hadOtherDigest = true
    await this.#discard()
    throw new FetchFailure('Checksum mismatch', { retryable })
  }

  async #discard(): Promise<void> {
    await this.#incoming?.discard()
    this.#incoming = null
    this.#beginning = new BodyBeginning()
  }
}

/** An answer of the source, and what it was asked. */
interface Asked {
  readonly source: SourceToPack
  readonly submitted: SourceUrl
  /** Where the body was asked to continue. */
  readonly resumePoint: ResumePoint | null
  readonly response: FetchedResponse
  /** What the answer calls unchanged; null when it is about the body. */
  readonly unchanged: EarlierEntry | null
}

/** An entry of the base that may be copied. */
interface EarlierEntry {
  readonly base: BaseArchive
  readonly entry: BaseEntry
}

function beginBody({ archive, maxDeclaredBytes }: Packing, facts: BodyFacts): IncomingBody {
  // Not the job: such a length is an error of the source.
  if ((facts.declaredBytes ?? 0) > maxDeclaredBytes)
    throw new FetchFailure(zipSizeLimitText(maxDeclaredBytes))
  return isWrittenInPlace(facts) ? InPlaceBody.begin(archive, facts) : new InMemoryBody(archive, facts)
}

function isWrittenInPlace(facts: BodyFacts): facts is DeclaredFacts {
  return facts.declaredBytes !== null && facts.declaredBytes >= IN_PLACE_BODY_BYTES && !facts.isTextLike
}
