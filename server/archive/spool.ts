import { closeSync, constants, readSync, unlinkSync, writeSync } from 'node:fs'
import { releaseMemory } from '../bytes.ts'
import { openFile } from '../files/open-file.ts'

/**
 * A temporary file next to the archive, for a body whose length is known only at its end. Only such bodies are written
 * twice. No later run needs the file.
 */
export class Spool implements Disposable {
  readonly #path: string
  #openFd: number | null
  #lengthBytes = 0

  constructor(path: string) {
    this.#path = path
    this.#openFd = openFile(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  }

  get lengthBytes(): number {
    return this.#lengthBytes
  }

  /** Closes the file until it is needed again: many bodies may wait for their next attempt. */
  pause(): void {
    if (this.#openFd !== null) closeSync(this.#openFd)
    this.#openFd = null
  }

  append(bytes: Uint8Array): void {
    let done = 0
    while (done < bytes.length) {
      done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#lengthBytes + done)
    }
    this.#lengthBytes += bytes.length
  }

  /** Everything that was appended, in pieces. Each piece is valid until the next one is requested. */
  *pieces(): Generator<Uint8Array> {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, this.#lengthBytes))
    for (let at = 0; at < this.#lengthBytes; ) {
      const count = readSync(this.#fd, piece, 0, piece.length, at)
      if (count === 0) throw new Error('a spool file is shorter than what was written to it')
      yield piece.subarray(0, count)
      at += count
    }
    releaseMemory(piece)
  }

  get #fd(): number {
    this.#openFd ??= openFile(this.#path, O_RDWR | O_NOFOLLOW)
    return this.#openFd
  }

  [Symbol.dispose](): void {
    this.pause()
    unlinkSync(this.#path)
  }
}

/** Somebody else may have put a link to another file in its place. */
const { O_CREAT, O_NOFOLLOW, O_RDWR, O_TRUNC } = constants

const PIECE_BYTES = 1024 * 1024
