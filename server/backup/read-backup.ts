import { statSync } from 'node:fs'
import { z } from 'zod'
import { StartRefused } from '../errors.ts'
import { parseJson } from '../text/parse-json.ts'
import { directoryMembers } from './formats/directory-reader.ts'
import {
  checksumsOf,
  damaged,
  isMember,
  MEMBERS,
  type MemberReceiver,
  type StoredMember,
} from './formats/members.ts'
import { openForReading } from './formats/readable-file.ts'
import { tarMembers } from './formats/tar-reader.ts'

/** The format of the backups that this program writes and reads. */
export const BACKUP_FORMAT = 1

/**
 * Reads a whole backup and checks every byte of it.
 * @param receive opens the receiver of a file; null only checks the file
 * @throws StartRefused when it is damaged, or was made by a newer version; then what was received must not be used
 */
export async function readBackup(
  path: string,
  receive: (member: StoredMember) => MemberReceiver | null,
  stop: AbortSignal,
): Promise<void> {
  const digests = new Map<string, string>()
  const texts = new Map<string, string>()
  for await (const member of membersOf(path, stop)) {
    const { name } = member
    if (!isMember(name) || digests.has(name)) throw damaged(path, `it contains ${name}, which it may not`)
    if (texts.has(MEMBERS.checksums)) throw damaged(path, `${name} is after its end`)
    const isText = name === MEMBERS.checksums || name === MEMBERS.description
    if (isText && member.sizeBytes > maxTextBytes(digests)) throw damaged(path, `${name} is too long`)
    using receiver = isText ? null : receive(member)
    const digest = new Bun.CryptoHasher('sha256')
    let text = ''
    let readBytes = 0
    for await (const piece of member.pieces()) {
      digest.update(piece)
      receiver?.write(piece)
      readBytes += piece.length
      if (isText) text += Buffer.from(piece).toString('latin1')
    }
    if (readBytes !== member.sizeBytes) throw damaged(path, `${name} is too short`)
    receiver?.finish(member.modifiedAtMs)
    if (name !== MEMBERS.checksums) digests.set(name, digest.digest('hex'))
    if (isText) texts.set(name, text)
  }
  const missing = Object.values(MEMBERS).find((name) => !digests.has(name) && !texts.has(name))
  if (missing !== undefined) throw damaged(path, `${missing} is missing`)
  if (texts.get(MEMBERS.checksums) !== checksumsOf(digests))
    throw damaged(path, `its files are not those of ${MEMBERS.checksums}`)
  assertReadable(path, texts.get(MEMBERS.description) ?? '')
}

async function* membersOf(path: string, stop: AbortSignal): AsyncGenerator<StoredMember> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new StartRefused(`There is no backup ${path}. Choose another.`)
  if (found.isDirectory()) return yield* directoryMembers(path, stop)
  if (!found.isFile()) throw new StartRefused(`${path} is not a file. Choose another backup.`)
  using file = openForReading(path)
  yield* tarMembers(path, file, stop)
}

/** The list of checksums has one line per file, and the description is short. */
function maxTextBytes(digests: ReadonlyMap<string, string>): number {
  return 1024 * (digests.size + 1)
}

function assertReadable(path: string, text: string): void {
  if (description.safeParse(parseJson(text)).success) return
  throw new StartRefused(`A newer Holdall has made the backup ${path}. Restore it with that version.`)
}

const description = z.object({ format: z.literal(BACKUP_FORMAT) })
