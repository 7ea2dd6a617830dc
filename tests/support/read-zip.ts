import { PYTHON } from './python.ts'

/** An entry, as Python's `zipfile` reads it. */
export interface ReadEntry {
  readonly name: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly isDeflated: boolean
}

/** Reads every entry in the order of the central directory, and checks its CRC-32. */
export async function readZip(path: string): Promise<ReadEntry[]> {
  const child = Bun.spawn([PYTHON, '-c', SCRIPT, path], { stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`Python can't read the archive: ${errors}`)
  return JSON.parse(output)
}

const SCRIPT = `
import hashlib, json, sys, zipfile
def entry(archive, info):
    digest = hashlib.sha256()
    with archive.open(info) as body:
        while piece := body.read(1 << 20): digest.update(piece)
    return dict(name=info.filename, sizeBytes=info.file_size, sha256=digest.hexdigest(), isDeflated=info.compress_type == 8)
with zipfile.ZipFile(sys.argv[1]) as archive:
    json.dump([entry(archive, info) for info in archive.infolist()], sys.stdout)
`
