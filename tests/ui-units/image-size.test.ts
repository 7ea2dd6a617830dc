import { describe, expect, test } from 'bun:test'
import { imageSize } from '../../ui/src/preview/image-size.ts'
import { numbers } from '../support/built-zip.ts'

const text = (letters: string) => Buffer.from(letters, 'latin1')
const bytes = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
/** Big-endian, of two bytes each. */
const words = (...values: readonly number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])))

const PNG = bytes(text('\x89PNG\r\n\x1a\n'), words(0, 13), text('IHDR'), words(0, 30_000, 0, 20_000))
const GIF = (frame: number) =>
  bytes(
    text('GIF89a'),
    numbers([10, 2], [20, 2], [0x80, 1], [0, 2], [0, 6]),
    // An extension of two blocks, before the first frame.
    text('!\xfe\x02hi\x01x\0'),
    numbers([0x2c, 1], [0, 2], [0, 2], [frame, 2], [frame, 2]),
  )
const JPEG = bytes(
  text('\xff\xd8\xff\xe1'),
  words(6, 1, 2),
  text('\xff\xc4'),
  words(4, 9),
  text('\xff\xff\xc2'),
  words(17, 0x0800 + (20_000 >> 8), ((20_000 & 255) << 8) + (30_000 >> 8), (30_000 & 255) << 8),
)
const webp = (kind: string, ...parts: readonly Uint8Array[]) =>
  bytes(text('RIFF'), numbers([0, 4]), text(`WEBP${kind}`), numbers([0, 4]), ...parts)
const AVIF = bytes(
  numbers([0, 4]),
  text('ftypavif'),
  text('ispe'),
  words(0, 0, 0, 160, 0, 120),
  text('ispe'),
  words(0, 0, 0, 16_000, 0, 12_000),
)

describe('The size of an image is known before it is decoded:', () => {
  test.each<[string, Uint8Array<ArrayBuffer>, number, number]>([
    ['PNG', PNG, 30_000, 20_000],
    ['GIF', GIF(5), 10, 20],
    ['GIF with a frame that is larger than it', GIF(60_000), 60_000, 60_000],
    [
      'BMP that begins at its top',
      bytes(text('BM'), Buffer.alloc(16), numbers([300, 4], [2 ** 32 - 200, 4])),
      300,
      200,
    ],
    ['JPEG', JPEG, 30_000, 20_000],
    ['WebP', webp('VP8 ', Buffer.alloc(6), numbers([16_000, 2], [12_000, 2])), 16_000, 12_000],
    ['lossless WebP', webp('VP8L', text('\x2f'), numbers([15_999 + 11_999 * 2 ** 14, 4])), 16_000, 12_000],
    ['WebP with more', webp('VP8X', Buffer.alloc(4), numbers([15_999, 3], [11_999, 3])), 16_000, 12_000],
    ['AVIF, of its largest picture', AVIF, 16_000, 12_000],
    ['icon', bytes(text('\0\0\x01\0\x01\0')), 256, 256],
  ])('%s', (_, image, width, height) => {
    expect(imageSize(image)).toEqual({ width, height })
  })

  test('not of what is cut off, or no image', () => {
    for (const image of [PNG, GIF(5), JPEG]) {
      for (let length = 0; length < 16; length++) expect(imageSize(image.slice(0, length))).toBeNull()
    }
    expect(imageSize(bytes(text('<svg xmlns="http://www.w3.org/2000/svg"/>')))).toBeNull()
    expect(imageSize(bytes(text('\xff\xd8 no marker')))).toBeNull()
  })
})
