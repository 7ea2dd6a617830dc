import { StartRefused } from '../../errors.ts'

/**
 * The files of a backup. A single file is a tar archive of them; a directory contains them as they are. `SHA256SUMS` is the
 * last one, and lists the others as `sha256sum` does, so a backup without it is not whole.
 */
export const MEMBERS = {
  /** The format of the backup and the version of the program that made it. */
  description: 'backup.json',
  database: 'holdall.db',
  signingSecrets: 'signing-secrets.json',
  sealingKey: 'sealing-key',
  /** What the owner has set while the service ran. */
  settings: 'settings.json',
  checksums: 'SHA256SUMS',
} as const

/** A file in a backup. */
export interface StoredMember {
  readonly name: string
  readonly sizeBytes: number
  readonly modifiedAtMs: number
  /** Its bytes, in pieces that are valid until the next one. */
  pieces(): AsyncGenerator<Uint8Array>
}

/** Receives the bytes of one file of a backup. Disposing of it closes it. */
export interface MemberReceiver extends Disposable {
  write(piece: Uint8Array): void
  /** All bytes were written. */
  finish(modifiedAtMs: number): void
}

/** The folder of the archives in a backup. */
export const ARCHIVES_FOLDER = 'archives'

/** The finished archive of a job. */
export function archiveMember(jobId: string): string {
  return `${ARCHIVES_FOLDER}/${jobId}.zip`
}

/** The file name of an archive without its folder; null for another file of a backup. */
export function archiveNameOf(member: string): string | null {
  return ARCHIVE.exec(member)?.[1] ?? null
}

/** Whether a backup may contain a file of this name. No name leads out of the directory that it is restored to. */
export function isMember(name: string): boolean {
  return KNOWN.has(name) || ARCHIVE.test(name)
}

/** The content of `SHA256SUMS` for these files: SHA-256 in hex by name. */
export function checksumsOf(digests: ReadonlyMap<string, string>): string {
  return [...digests.keys()]
    .toSorted()
    .map((name) => `${digests.get(name)}  ${name}\n`)
    .join('')
}

/** The refusal of a backup that is not as it was written. */
export function damaged(path: string, damage: string): StartRefused {
  return new StartRefused(
    `The backup ${path} is damaged or not whole: ${damage}. Nothing was restored. Use another backup.`,
  )
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(MEMBERS))
const ARCHIVE = /^archives\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.zip)$/
