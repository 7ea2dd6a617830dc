import { FetchFailure, zipSizeLimitText } from '../../fetching/attempts/fetch-failure.ts'
import { Retries } from '../../fetching/attempts/retries.ts'
import { checkStatus } from '../../fetching/content/check-status.ts'
import { filenameOf } from '../../fetching/content/content-disposition.ts'
import { decodedBody } from '../../fetching/content/decode.ts'
import {
  conditionsFor,
  isUnchanged,
  type ResumePoint,
  rangeFrom,
  relationTo,
} from '../../fetching/content/validator.ts'
import { type FetchContext, type FetchedResponse, fetchUrl } from '../../fetching/fetch-url.ts'
import type { SourceResponse } from '../../fetching/response.ts'
import { parseSourceUrl, type SourceUrl } from '../../fetching/source-url.ts'
import { sourceGarbageBytes } from '../../garbage.ts'
import type { BaseArchive } from '../base/base-archive.ts'
import { BEGINNING_BYTES, BodyBeginning, warningOf } from '../bodies/body-warning.ts'
import { collectBody } from '../bodies/collect-body.ts'
import { bodyFacts } from '../bodies/facts.ts'
import { InMemoryBody, type InMemoryJob } from '../bodies/in-memory.ts'
import { type DeclaredFacts, InPlaceBody, type InPlaceJob } from '../bodies/in-place.ts'
import { type BodyFacts, IN_PLACE_BODY_BYTES, type IncomingBody } from '../bodies/incoming-body.ts'
import type { FileWarning } from '../checkpoint/checkpoint.ts'
import type { HostConnection } from '../connections/host-connection.ts'
import { LeaseRevoked } from '../connections/lease.ts'
import { OutageOver } from '../connections/outage-watch.ts'
import type { BaseEntry, Source, SourceToPack } from '../job-order.ts'
import { fetchRecord } from '../manifest/fetch-record.ts'
import type { LateDoubts } from '../settling/late-doubts.ts'
import { type CopyingFromBase, digestsOf, isCopyWanted } from './copy-from-base.ts'
import type { ListedSource } from './listed-source.ts'
import { receiveBody } from './receive-body.ts'
import type { ReceivingJob } from './receive-segments.ts'

/** What packing a source uses of its job. */
export interface Packing extends CopyingFromBase {
  readonly fetchContext: FetchContext
  readonly archive: ReceivingArchive & CopyingFromBase['archive']
  /** Whether the job fails with its first source. Then the part of a failed source stays for a later run. */
  readonly isStrict: boolean
  readonly maxDeclaredBytes: number
  readonly doubts: LateDoubts
}

/** What a body uses of the archive, in memory or in place. */
type ReceivingArchive = ReceivingJob['archive'] & InMemoryJob & InPlaceJob

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
  const retries = new Retries(packing.fetchContext.limits, packing.archive.signal)
  connection.serves(listed.position)
  try {
    for (;;) {
      try {
        await attempts.make(connection)
        return connection.sourceEnded()
      } catch (error) {
        const attempt = connection.releaseAfter(error)
        const broughtBytes = await attempts.brokeOff(error)
        if (!isCut(error)) await retries.waitAfter(error, { ...attempt, broughtBytes })
      }
    }
  } catch (error) {
    await attempts.end(error)
    throw error
  }
}

/** Whether the attempt was ended by this program, and neither the source nor the host is at fault. */
function isCut(error: unknown): boolean {
  return error instanceof LeaseRevoked || error instanceof OutageOver
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
    const { archive, doubts, failOnWarning } = this.#packing
    const { position, host } = this.#listed
    // The connection first: thousands of sources may wait for a connection, and their URLs need no memory meanwhile.
    if (host !== '') await connection.switchTo(host)
    const source = await this.#listed.read()
    archive.garbage.counted(sourceGarbageBytes(source), archive.memory.heldBytes)
    const submitted = parseSourceUrl(source.url)
    const base = this.#incoming === null ? this.#base : null
    const isWanted = source.base !== undefined && isCopyWanted(this.#packing, source, source.base)
    const conditions = base && source.base && isWanted ? conditionsFor(source.base, submitted) : null
    const resumePoint = this.#incoming?.resumePoint() ?? null
    using response = await fetchUrl(
      submitted,
      conditions ?? rangeFrom(resumePoint, submitted),
      this.#packing.fetchContext,
      connection,
    )
    connection.answered()
    if (response.status === 304 && base !== null && source.base !== undefined && conditions?.(response.url)) {
      // A copy needs no connection.
      response[Symbol.dispose]()
      connection.release('healthy')
      if (await this.#copyUnchanged(base, source, source.base, submitted, response)) return
      this.#base = null
      return await this.make(connection)
    }
    const isRest = await this.#checkFit(response, resumePoint, submitted)
    const namesAskedFor = [submitted.pathname, source.filename ?? '']
    const decoded = isRest
      ? null
      : decodedBody(response, namesAskedFor, (body) => collectBody(archive, position, body))
    const { isHashed, wanted } = digestsOf(this.#packing, source)
    const named = { url: submitted, filename: source.filename, isHashed }
    this.#incoming ??= beginBody(this.#packing, bodyFacts(position, named, response, decoded !== null))
    const received = { incoming: this.#incoming, beginning: this.#beginning, decoded }
    this.#beginning = await receiveBody(this.#packing, received, response, connection)
    const warning = this.#judge(this.#incoming, source, submitted, response)
    if (warning !== null && (failOnWarning || this.#hasBetter(source, warning)))
      throw new FetchFailure(WARNING_FAILURES[warning.code])
    const sha256 = isHashed ? await this.#incoming.sha256() : null
    if (wanted !== null && sha256 !== wanted) await this.#failByDigest()
    const fetched = this.#packing.hasManifest ? fetchRecord(submitted, response, Date.now()) : null
    await this.#incoming.finish({ warning, sha256, fetched })
    // A part that fits where it was asked for is beyond doubt.
    doubts.stored(position, response.doubtfulWith)
  }

  /**
   * Copies the entry that the source calls unchanged.
   * @returns false when it has not asked about that one, or when the entry is damaged
   */
  async #copyUnchanged(
    base: BaseArchive,
    source: SourceToPack,
    entry: BaseEntry,
    submitted: SourceUrl,
    response: FetchedResponse,
  ): Promise<boolean> {
    if (!isUnchanged(entry, response)) return false
    const { archive, doubts, hasManifest } = this.#packing
    const { position } = this.#listed
    const fetched = hasManifest ? fetchRecord(submitted, response, Date.now(), entry) : null
    const isCopied = await base.copy(archive, position, entry, {
      ...digestsOf(this.#packing, source),
      fetched,
      kept: null,
    })
    if (isCopied) doubts.stored(position, response.doubtfulWith)
    return isCopied
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

  /** Releases what was received. Only a body that a later run may resume keeps its place in the archive. */
  async end(error: unknown): Promise<void> {
    const incoming = this.#incoming
    const isPart = incoming instanceof InPlaceBody && incoming.receivedBytes < incoming.facts.declaredBytes
    const isKept = this.#packing.isStrict && isPart && incoming.resumePoint() !== null
    if (!(error instanceof FetchFailure)) incoming?.close()
    else if (!isKept) await this.#discard()
  }

  /**
   * Discards what was received, unless the response continues it.
   * @returns whether it does
   * @throws FetchFailure when the response brings no body, or one that does not fit
   */
  async #checkFit(
    response: FetchedResponse,
    resumePoint: ResumePoint | null,
    submitted: SourceUrl,
  ): Promise<boolean> {
    const relation = relationTo(resumePoint, response, submitted)
    if (relation !== 'unfit') checkStatus(response)
    if (relation !== 'rest') await this.#discard()
    if (relation !== 'unfit') return relation === 'rest'
    if (resumePoint === null) throw new FetchFailure('Malformed response')
    throw new FetchFailure('Source changed during the download', { retryable: true })
  }

  #judge(
    { facts, receivedBytes }: IncomingBody,
    { filename }: Source,
    submitted: SourceUrl,
    { headers, url }: SourceResponse,
  ): FileWarning | null {
    const disposition = headers.get('content-disposition')
    return warningOf({
      filename,
      entryName: facts.name,
      submitted,
      final: url,
      headerName: disposition === null ? null : filenameOf(disposition),
      contentType: headers.get('content-type'),
      beginning: this.#beginning.bytes,
      sizeBytes: receivedBytes,
    })
  }

  /** Throws. Something on the way may have changed the body, so it is fetched once more. */
  async #failByDigest(): Promise<never> {
    const retryable = !this.#hadOtherDigest
    this.#hadOtherDigest = true
    await this.#discard()
    throw new FetchFailure('Checksum mismatch', { retryable })
  }

  /** Whether the base has the file in place of which the source sends a page now, and the job keeps such files. */
  #hasBetter({ base }: SourceToPack, { code }: FileWarning): boolean {
    if (this.#packing.base?.keepFrom == null) return false
    return code === 'HTML_INSTEAD' && base !== undefined && base.warning === null
  }

  async #discard(): Promise<void> {
    await this.#incoming?.discard()
    this.#incoming = null
    this.#beginning = new BodyBeginning()
  }
}

/** The failures of a job that takes no entry with a warning. */
const WARNING_FAILURES = { HTML_INSTEAD: 'Unexpected HTML', EMPTY: 'Empty file' } as const

function beginBody({ archive, maxDeclaredBytes }: Packing, facts: BodyFacts): IncomingBody {
  // Not the job: such a length is an error of the source.
  if ((facts.declaredBytes ?? 0) > maxDeclaredBytes)
    throw new FetchFailure(zipSizeLimitText(maxDeclaredBytes))
  return isWrittenInPlace(facts) ? InPlaceBody.begin(archive, facts) : new InMemoryBody(archive, facts)
}

function isWrittenInPlace(facts: BodyFacts): facts is DeclaredFacts {
  return facts.declaredBytes !== null && facts.declaredBytes >= IN_PLACE_BODY_BYTES && !facts.isTextLike
}
