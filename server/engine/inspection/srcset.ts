/**
 * The largest image of a `srcset` (HTML Standard, section 4.8.4.3.5): the one with the greatest width, or else density. Null if there
 * is none.
 */
export function largestOf(srcset: string): { readonly address: string; readonly size: number } | null {
  let largest: { address: string; size: number } | null = null
  let at = 0
  while (at < srcset.length) {
    while (at < srcset.length && SEPARATOR.test(srcset[at] ?? '')) at++
    const start = at
    while (at < srcset.length && !SPACE.test(srcset[at] ?? '')) at++
    // An address may contain commas, but does not end with one.
    let end = at
    while (end > start && srcset[end - 1] === ',') end--
    if (end === start) continue
    let size = 1
    if (end === at) {
      const comma = srcset.indexOf(',', at)
      const descriptors = srcset.slice(at, comma < 0 ? srcset.length : comma)
      size = Number(/^\s*(\d{1,7}(?:\.\d{1,5})?)[wx]/.exec(descriptors)?.[1] ?? 1)
      at = comma < 0 ? srcset.length : comma + 1
    }
    const address = srcset.slice(start, end)
    if (!/^data:/i.test(address) && (largest === null || size > largest.size)) largest = { address, size }
  }
  return largest
}

const SPACE = /\s/
const SEPARATOR = /[\s,]/
