/** What is wrong with an archive. The codes are stable. */
export type FindingCode =
  | 'NOT_A_ZIP'
  | 'SPLIT_ARCHIVE'
  | 'DIRECTORY_DAMAGED'
  | 'ENTRY_COUNT_DIFFERS'
  | 'ZIP64_DIFFERS'
  | 'OUTSIDE_OF_FILE'
  | 'OVERLAP'
  | 'UNKNOWN_BYTES'
  | 'LOCAL_HEADER_MISSING'
  | 'LOCAL_HEADER_DIFFERS'
  | 'DESCRIPTOR_DIFFERS'
  | 'UNSAFE_NAME'
  | 'INVALID_NAME'
  | 'NAME_TWICE'
  | 'UNSAFE_LINK'
  | 'FOLDER_WITH_CONTENT'
  | 'ENCRYPTED'
  | 'METHOD_NOT_SUPPORTED'
  | 'CONTENT_DAMAGED'
  | 'CHECKSUM_DIFFERS'
  | 'LISTED_FILE_MISSING'
  | 'LIST_DAMAGED'

/** What is worth knowing, and not wrong. */
export type RemarkCode = 'BYTES_BEFORE' | 'BYTES_AFTER' | 'PADDING' | 'HIGH_RATIO' | 'NOT_LISTED'

export interface Finding<Code = FindingCode> {
  readonly code: Code
  /** The name of the file in the archive that it is about; null if it is about the whole archive. */
  readonly entry: string | null
  /** One sentence. */
  readonly message: string
}

/** Collects findings and remarks, and keeps the first of each: a hostile archive could have millions. */
export class Findings {
  readonly findings: Finding[] = []
  readonly remarks: Finding<RemarkCode>[] = []
  findingCount = 0
  remarkCount = 0

  add(code: FindingCode, entry: string | null, message: string): void {
    this.findingCount += 1
    if (this.findings.length < MAX_KEPT) this.findings.push({ code, entry: shortened(entry), message })
  }

  remark(code: RemarkCode, entry: string | null, message: string): void {
    this.remarkCount += 1
    if (this.remarks.length < MAX_KEPT) this.remarks.push({ code, entry: shortened(entry), message })
  }
}

const MAX_KEPT = 1000

/** A name may have 65,535 bytes. */
function shortened(name: string | null): string | null {
  return name === null || name.length <= MAX_NAME_CHARACTERS ? name : `${name.slice(0, MAX_NAME_CHARACTERS)}…`
}

const MAX_NAME_CHARACTERS = 1000
