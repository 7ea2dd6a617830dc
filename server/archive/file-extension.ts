/**
 * Splits a file name into stem and extension. The extension includes its dot and may be empty.
 *
 * An extension is a dot with one to ten ASCII letters and digits, at least one of them a letter, at the end of the name and
 * after at least one other character. So `v1.2` has none (version numbers are more common in URLs than numeric extensions),
 * and neither has `.htaccess`. The extension of a compressed tar file includes `.tar`, as in `.tar.gz`.
 */
export function splitExtension(name: string): { readonly stem: string; readonly extension: string } {
  const simple = simpleExtensionOf(name)
  const stem = name.slice(0, name.length - simple.length)
  const isPackedTar =
    simple !== '' && stem.length > tar.length && stem.slice(-tar.length).toLowerCase() === tar
  const extension = isPackedTar ? name.slice(stem.length - tar.length) : simple
  return { stem: name.slice(0, name.length - extension.length), extension }
}

const tar = '.tar'
const longestExtension = '.'.length + 10

/** The extension without `.tar`. */
function simpleExtensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  if (dot < 1 || name.length - dot > longestExtension) return ''
  const end = name.slice(dot)
  return lettersAndDigits.test(end) && letter.test(end) ? end : ''
}

const lettersAndDigits = /^\.[a-z0-9]+$/i
const letter = /[a-z]/i
