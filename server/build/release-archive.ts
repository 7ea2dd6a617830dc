import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import JSZip from 'jszip'

/**
 * Packs a folder of files, with the folder's name: as `.tar.gz`, or as `.zip` for Windows. The same files give the same bytes:
 * owner, order and time of the entries do not depend on the machine.
 */
export async function packFolder(folder: string, kind: 'tar.gz' | 'zip', time: Date): Promise<Uint8Array> {
  return kind === 'zip' ? await packZip(folder, time) : gzipSync(await packTar(folder, time), { level: 9 })
}

async function packTar(folder: string, time: Date): Promise<Uint8Array> {
  const options = [
    '--format=ustar',
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    `--mtime=@${time.getTime() / 1000}`,
  ]
  const child = Bun.spawn(['tar', ...options, '-C', dirname(folder), '-cf', '-', basename(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const bytes = await new Response(child.stdout).bytes()
  if ((await child.exited) !== 0) throw new Error('tar failed: releases are packed by GNU tar.')
  return bytes
}

async function packZip(folder: string, time: Date): Promise<Uint8Array> {
  const zip = new JSZip()
  for (const name of readdirSync(folder).toSorted()) {
    const path = `${basename(folder)}/${name}`
    zip.file(path, readFileSync(join(folder, name)), { date: time, createFolders: false })
  }
  return await zip.generateAsync({
    type: 'uint8array',
    compression: 'DEFLATE',
    compressionOptions: { level: 9 },
  })
}
