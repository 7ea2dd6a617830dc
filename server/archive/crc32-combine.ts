/**
 * The CRC-32 of two byte sequences that follow each other, from the CRC-32 of each: `crc32(A + B) = crc32(A) * x^(8 * |B|) + crc32(B)`, in
 * polynomials over GF(2), modulo the polynomial of the CRC (zlib, `crc32_combine`).
 * @param secondBytes length of the second sequence
 */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  return (product(powerOfByte(secondBytes), first) ^ second) >>> 0
}

/** x^(8 * bytes) modulo the polynomial, by squaring. */
function powerOfByte(bytes: number): number {
  let power = ONE
  let square = X_TO_THE_8TH
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(square, power)
    square = product(square, square)
  }
  return power
}

/** The product of two polynomials, modulo that of the CRC. */
function product(a: number, b: number): number {
  let sum = 0
  let shifted = b
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) sum ^= shifted
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1
  }
  return sum
}

/** The coefficients are in reverse order: that of x^0 is the highest bit (APPNOTE 4.4.7). */
const POLYNOMIAL = 0xedb88320
const ONE = 0x80000000
const X_TO_THE_8TH = 0x00800000
