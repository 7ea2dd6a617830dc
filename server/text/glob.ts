/**
 * Whether a text matches a pattern, in which `*` stands for any characters and `?` for one; upper and lower case are the same. The
 * time is bounded by the product of both lengths, which a regular expression would not promise. The web interface imports this
 * file, which must stay pure.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  const given = text.toLowerCase()
  const wanted = pattern.toLowerCase()
  let at = 0
  let next = 0
  /** Where the last `*` is, and up to where it has taken the text. */
  let star = -1
  let takenTo = 0
  while (at < given.length) {
    if (wanted[next] === '*') {
      star = next++
      takenTo = at
    } else if (next < wanted.length && (wanted[next] === '?' || wanted[next] === given[at])) {
      next++
      at++
    } else if (star >= 0) {
      next = star + 1
      at = ++takenTo
    } else return false
  }
  while (wanted[next] === '*') next++
  return next === wanted.length
}
