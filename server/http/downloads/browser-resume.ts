// What browsers must see to go on with a download of an archive that was packed when it began. If they do not, they delete what they have.

/**
 * The length in the `Content-Range` of an archive that is still packed. It is not known: `*`. Chromium accepts only a number, and gets one
 * that no archive has. It does not count by it, since the body ends by itself.
 */
export function growingLength(headers: Headers): string {
  return /Chrome\//.test(headers.get('user-agent') ?? '') ? LARGEST_LENGTH : '*'
}

/**
 * Whether Firefox goes on with a download that began while the archive was packed. It names the tag and the date that it knows, and goes
 * on only if tag, date and length are as they were: so there is still no date, and the length is not known.
 */
export function beganEarly(headers: Headers): boolean {
  return (
    /Gecko\/\d/.test(headers.get('user-agent') ?? '') &&
    headers.has('range') &&
    headers.has('if-match') &&
    !headers.has('if-unmodified-since')
  )
}

/** Of 64 bits. */
const LARGEST_LENGTH = '9223372036854775807'
