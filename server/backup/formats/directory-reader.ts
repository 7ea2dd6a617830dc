import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ARCHIVES_FOLDER, damaged, isMember, MEMBERS, type StoredMember } from './members.ts'
import { openForReading } from './readable-file.ts'

/** The files of a backup that is a directory. It may be a tar backup that another program has unpacked. */
export async function* directoryMembers(path: string, stop: AbortSignal): AsyncGenerator<StoredMember> {
  const names = readdirSync(path).filter((name) => name !== ARCHIVES_FOLDER)
  const archives = existsSync(join(path, ARCHIVES_FOLDER)) ? readdirSync(join(path, ARCHIVES_FOLDER)) : []
  const found = [...archives.map((name) => `${ARCHIVES_FOLDER}/${name}`), ...names]
  const unknown = found.find((name) => !isMember(name))
  if (unknown !== undefined) throw damaged(path, `it contains ${unknown}, which no backup contains`)
  const isLast = (name: string) => Number(name === MEMBERS.checksums)
  for (const name of found.toSorted((a, b) => isLast(a) - isLast(b))) {
    using file = openForReading(join(path, name))
    const { sizeBytes, modifiedAtMs } = file
    yield { name, sizeBytes, modifiedAtMs, pieces: () => file.pieces(0, sizeBytes, stop) }
  }
}
