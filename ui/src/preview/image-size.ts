/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/**
 * What the beginning of an image file says of its size, before a browser decodes it: a file of 50 KB can have pixels for gigabytes. Null if
 * that is not known. An SVG has no pixels.
 */
export function imageSize(bytes: Uint8Array<ArrayBuffer>): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    return FORMATS.find(({ begins }) => begins(view))?.size(view) ?? null
  } catch (error) {
    // The beginning ends before its size.
    if (error instanceof RangeError) return null
    throw error
  }
}

interface Format {
  begins(view: DataView): boolean
  /** @throws RangeError if the beginning is too short */
  size(view: DataView): ImageSize | null
}

const FORMATS: readonly Format[] = [
  {
    begins: (view) => textAt(view, 0, 4) === '\x89PNG',
    size: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  },
  { begins: (view) => textAt(view, 0, 4) === 'GIF8', size: gifSize },
  {
    begins: (view) => textAt(view, 0, 2) === 'BM',
    size: (view) => ({ width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) }),
  },
  { begins: (view) => textAt(view, 0, 4) === 'RIFF' && textAt(view, 8, 4) === 'WEBP', size: webpSize },
  { begins: (view) => textAt(view, 0, 2) === '\xff\xd8', size: jpegSize },
  { begins: (view) => textAt(view, 4, 4) === 'ftyp', size: avifSize },
  // Of its pictures, none may be larger.
  { begins: (view) => textAt(view, 0, 4) === '\0\0\x01\0', size: () => ({ width: 256, height: 256 }) },
]

/** A first frame that is larger than the picture makes the picture larger. */
function gifSize(view: DataView): ImageSize {
  const flags = view.getUint8(10)
  let at = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  while (view.getUint8(at) === 0x21) {
    at += 2
    while (view.getUint8(at) > 0) at += view.getUint8(at) + 1
    at += 1
  }
  const frame = view.getUint8(at) === 0x2c ? at : null
  return {
    width: Math.max(view.getUint16(6, true), frame === null ? 0 : view.getUint16(frame + 5, true)),
    height: Math.max(view.getUint16(8, true), frame === null ? 0 : view.getUint16(frame + 7, true)),
  }
}

/** RFC 9649. */
function webpSize(view: DataView): ImageSize | null {
  const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000
  switch (textAt(view, 12, 4)) {
    case 'VP8X':
      return { width: uint24(24) + 1, height: uint24(27) + 1 }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    default:
      return null
  }
}

/** The first frame header (ITU-T T.81, B.2.2): of markers C0 to CF, all but C4, C8 and CC. */
function jpegSize(view: DataView): ImageSize | null {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    while (view.getUint8(at) === 0xff && view.getUint8(at + 1) === 0xff) at += 1
    const marker = view.getUint8(at + 1)
    if (view.getUint8(at) !== 0xff) return null
    const isFrame = marker === 0xc0 || (marker > 0xc0 && marker <= 0xcf && marker % 4 !== 0)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
  }
}

/** The largest of its items: a picture may be a grid of others. */
function avifSize(view: DataView): ImageSize | null {
  let largest: ImageSize | null = null
  for (let at = 0; at + 16 <= view.byteLength; at++) {
    if (view.getUint32(at) !== ISPE) continue
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
    if (largest === null || pixelsOf(size) > pixelsOf(largest)) largest = size
  }
  return largest
}

export function pixelsOf({ width, height }: ImageSize): number {
  return width * height
}

/** Each byte as a character. */
function textAt(view: DataView, at: number, length: number): string {
  if (at + length > view.byteLength) return ''
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length))
}

/** "ispe", the box of the size of an image. */
const ISPE = 0x69737065
