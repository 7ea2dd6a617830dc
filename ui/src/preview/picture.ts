import { imageSize, pixelsOf } from './image-size.ts'

/**
 * A small picture of an image, painted once.
 * @param sidePx of the square
 * @throws if the image is none, or has too many pixels
 */
export async function pictureOf(
  url: string,
  sidePx: number,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const bytes = await response.bytes()
  const size = imageSize(bytes)
  if (size === null || pixelsOf(size) > MAX_THUMBNAIL_PIXELS) throw new Error('not an image of this size')
  const painted = turn.then(() => {
    signal.throwIfAborted()
    return paint(bytes, sidePx)
  })
  turn = painted.catch(() => {})
  return await painted
}

/** So that only one image at a time has all its pixels in memory. */
let turn: Promise<unknown> = Promise.resolve()

/** The square in the middle. */
async function paint(bytes: Uint8Array<ArrayBuffer>, sidePx: number): Promise<HTMLCanvasElement> {
  const image = await createImageBitmap(new Blob([bytes]))
  const side = Math.min(image.width, image.height)
  const canvas = document.createElement('canvas')
  canvas.width = sidePx
  canvas.height = sidePx
  canvas
    .getContext('2d')
    ?.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, sidePx, sidePx)
  image.close()
  return canvas
}

/** More than most cameras have, and 100 MB of memory. */
const MAX_THUMBNAIL_PIXELS = 25_000_000
