import { closeSync, readSync } from 'node:fs'
import { compressBody } from '../../archive/compress.ts'
import { openFile } from '../../files/open-file.ts'
import type { FromHelper, HashStep, ToHelper } from './helpers.ts'

/** Runs in a helper thread: compresses and hashes what arrives at a port, in order, and answers each message. */
export function helpAtPort(port: MessagePort): void {
  const digests = new Digests()
  const answer = (message: FromHelper, transferred: ArrayBuffer[] = []) =>
    port.postMessage(message, transferred)
  port.onmessage = ({ data }: { readonly data: ToHelper }) => {
    const { requestId } = data
    if (data.type === 'compress') {
      const body = compressBody(data.bytes, true)
      answer({ type: 'compressed', requestId, body }, [body.content.buffer])
    } else answer({ type: 'hashed', requestId, sha256: digests.step(data.step) })
  }
}

/** The digests of bodies that are being written to files by another thread. */
class Digests {
  /** Null for a body that could not be read. */
  readonly #hashers = new Map<number, Bun.CryptoHasher | null>()
  readonly #piece = new Uint8Array(PIECE_BYTES)

  step(step: HashStep): string | null {
    const { digestId, end } = step
    const known = this.#hashers.get(digestId)
    const hasher = known === undefined ? new Bun.CryptoHasher('sha256') : known
    const isHashed = hasher !== null && end !== 'is given up' && this.#hash(hasher, step)
    if (end === 'goes on') this.#hashers.set(digestId, isHashed ? hasher : null)
    else this.#hashers.delete(digestId)
    return isHashed && end === 'is whole' ? hasher.digest('hex') : null
  }

  /** @returns whether all bytes could be read. If not, the job reads them itself, and fails if it can't */
  #hash(hasher: Bun.CryptoHasher, { path, offset, lengthBytes }: HashStep): boolean {
    try {
      // A descriptor of the job's thread would be another file once that thread has closed it.
      const fd = openFile(path, 'r')
      try {
        for (let done = 0; done < lengthBytes; ) {
          const read = readSync(fd, this.#piece, 0, Math.min(PIECE_BYTES, lengthBytes - done), offset + done)
          if (read === 0) return false
          hasher.update(this.#piece.subarray(0, read))
          done += read
        }
        return true
      } finally {
        closeSync(fd)
      }
    } catch {
      return false
    }
  }
}

/** Fits into the cache of a processor. */
const PIECE_BYTES = 256 * 1024
