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
  if (simple === '' || !tarFile.test(stem)) return { stem, extension: simple }
  return { stem: stem.slice(0, -tarLength), extension: name.slice(stem.length - tarLength) }
}

const tarFile = /.\.tar$/is
const tarLength = '.tar'.length
const longestExtension = '.'.length + 10

/** The extension without `.tar`. */
function simpleExtensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  if (dot < 1 || name.length - dot > longestExtension) return ''
  const end = name.slice(dot)
  return lettersAndDigits.test(end) ? end : ''
}

/** At least one letter. */
const lettersAndDigits = /^\.\d*[a-z][a-z\d]*$/i
