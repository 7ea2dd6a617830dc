import type { EntryFields } from '../../archive/format.ts'
import type { ByteMove, StoredEntry } from './checkpoint.ts'

/**
 * The whole entries of a job, in the order of their positions, in columns: 70,000 of them as objects take 30 MB, and each
 * collection of garbage visits every one. What it returns are copies.
 */
export class StoredEntries implements Iterable<StoredEntry> {
  static of(entries: Iterable<StoredEntry>): StoredEntries {
    const stored = new StoredEntries()
    for (const entry of entries) stored.set(entry)
    return stored
  }

  #capacity = 0
  #numbers = new Float64Array(0)
  #words = new Uint32Array(0)
  #flags = new Uint8Array(0)
  /** Names, entity tags and hashes in UTF-8, one entry after the other. */
  #text = Buffer.alloc(0)
  #textBytes = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  has(position: number): boolean {
    return ((this.#flags[position] ?? 0) & PRESENT) !== 0
  }

  get(position: number): StoredEntry | undefined {
    if (!this.has(position)) return undefined
    const flags = this.#flags[position] ?? 0
    const word = position * WORDS
    const etagAt = (this.#words[word + 2] ?? 0) + (this.#words[word + 3] ?? 0)
    const hashAt = etagAt + (this.#words[word + 4] ?? 0)
    const textEnd = hashAt + (this.#words[word + 5] ?? 0)
    return {
      status: 'stored',
      position,
      ...this.fields(position, this.name(position), newFields()),
      etag: hashAt === etagAt ? null : this.#text.toString('utf8', etagAt, hashAt),
      hasLastModified: (flags & HAS_LAST_MODIFIED) !== 0,
      finalUrlHash: textEnd === hashAt ? null : this.#text.toString('utf8', hashAt, textEnd),
      isReused: (flags & REUSED) !== 0,
    }
  }

  /** The offset of an entry that is there. */
  offset(position: number): number {
    return this.#numbers[position * NUMBERS] ?? 0
  }

  /** The likely name of an entry that is there. */
  name(position: number): string {
    const word = position * WORDS
    const nameAt = this.#words[word + 2] ?? 0
    return this.#text.toString('utf8', nameAt, nameAt + (this.#words[word + 3] ?? 0))
  }

  /**
   * What the headers of an entry that is there contain, under this name.
   * @param into an object to use again, since tens of thousands of new ones are as many megabytes of garbage
   */
  fields(position: number, name: string, into: Writable<EntryFields>): Writable<EntryFields> {
    const number = position * NUMBERS
    const word = position * WORDS
    into.name = name
    into.method = ((this.#flags[position] ?? 0) & DEFLATED) === 0 ? 0 : 8
    into.crc32 = this.#words[word + 1] ?? 0
    into.compressedBytes = this.#numbers[number + 1] ?? 0
    into.sizeBytes = this.#numbers[number + 2] ?? 0
    into.modifiedAtMs = this.#numbers[number + 3] ?? 0
    into.offset = this.offset(position)
    into.headerBytes = this.#words[word] ?? 0
    return into
  }

  /** Sets the entry of its position. An earlier one's text stays in memory. */
  set(entry: StoredEntry): void {
    const { position, name, etag, finalUrlHash } = entry
    this.#grow(position + 1)
    if (!this.has(position)) this.#count += 1
    this.#flags[position] =
      PRESENT |
      (entry.method === 8 ? DEFLATED : 0) |
      (entry.hasLastModified ? HAS_LAST_MODIFIED : 0) |
      (entry.isReused ? REUSED : 0)
    const number = position * NUMBERS
    this.#numbers[number] = entry.offset
    this.#numbers[number + 1] = entry.compressedBytes
    this.#numbers[number + 2] = entry.sizeBytes
    this.#numbers[number + 3] = entry.modifiedAtMs
    const word = position * WORDS
    this.#words[word] = entry.headerBytes
    this.#words[word + 1] = entry.crc32
    this.#words[word + 2] = this.#textBytes
    this.#words[word + 3] = this.#addText(name)
    this.#words[word + 4] = this.#addText(etag ?? '')
    this.#words[word + 5] = this.#addText(finalUrlHash ?? '')
  }

  /** Changes the offset of an entry that is there. */
  move(position: number, offset: number): void {
    this.#numbers[position * NUMBERS] = offset
  }

  /** The bytes in [from, to), with the entries that begin there, have moved `by` bytes towards the front. */
  shift({ from, to, by }: Pick<ByteMove, 'from' | 'to' | 'by'>): void {
    for (const position of this.positions()) {
      const offset = this.offset(position)
      if (offset >= from && offset < to) this.move(position, offset - by)
    }
  }

  /** False if there is no entry at the position. */
  delete(position: number): boolean {
    if (!this.has(position)) return false
    this.#flags[position] = 0
    this.#count -= 1
    return true
  }

  /** All positions, in order. */
  positions(): Uint32Array {
    const positions = new Uint32Array(this.#count)
    let index = 0
    for (let position = 0; position < this.#capacity; position += 1)
      if (this.has(position)) positions[index++] = position
    return positions
  }

  *[Symbol.iterator](): Generator<StoredEntry> {
    for (const position of this.positions()) {
      const entry = this.get(position)
      if (entry !== undefined) yield entry
    }
  }

  #addText(text: string): number {
    if (text === '') return 0
    const mostBytes = this.#textBytes + text.length * MOST_BYTES_PER_CODE_UNIT
    if (mostBytes > this.#text.length) {
      const larger = Buffer.alloc(Math.max(mostBytes, Math.ceil(this.#text.length * GROWTH)))
      larger.set(this.#text)
      this.#text = larger
    }
    const lengthBytes = this.#text.write(text, this.#textBytes)
    this.#textBytes += lengthBytes
    return lengthBytes
  }

  #grow(neededCount: number): void {
    if (neededCount <= this.#capacity) return
    this.#capacity = Math.max(neededCount, Math.ceil(this.#capacity * GROWTH))
    this.#numbers = enlarged(this.#numbers, new Float64Array(this.#capacity * NUMBERS))
    this.#words = enlarged(this.#words, new Uint32Array(this.#capacity * WORDS))
    this.#flags = enlarged(this.#flags, new Uint8Array(this.#capacity))
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** An object for `fields`. */
export function newFields(): Writable<EntryFields> {
  return {
    name: '',
    method: 0,
    crc32: 0,
    compressedBytes: 0,
    sizeBytes: 0,
    modifiedAtMs: 0,
    offset: 0,
    headerBytes: 0,
  }
}

function enlarged<T extends Float64Array | Uint32Array | Uint8Array>(array: T, larger: T): T {
  larger.set(array)
  return larger
}

/** Offset, length of the body as stored, length of the body, time of modification. */
const NUMBERS = 4
/** Length of the local header, CRC-32, start of the text, and the lengths of name, entity tag and hash in it. */
const WORDS = 6

const PRESENT = 1
const DEFLATED = 2
const HAS_LAST_MODIFIED = 4
const REUSED = 8

/** In UTF-8. */
const MOST_BYTES_PER_CODE_UNIT = 3

/** Less than twice: the old column is in memory until the new one is filled. */
const GROWTH = 1.5
