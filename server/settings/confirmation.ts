import { rmSync } from 'node:fs'
import { replaceFile } from '../files/durable.ts'
import { readOwnFile } from '../files/own-file.ts'
import { isSameSecret } from '../text/same-secret.ts'

/**
 * Proof that a change of settings comes from somebody who may read the data directory, and not only from somebody with a key: a code in
 * a private file, which `holdall settings code` prints. It works once. Disposing of it deletes the file.
 */
export interface Confirmation extends Disposable {
  /** Whether it is the code. Then, and after some wrong ones, the file has another. */
  take(code: string): boolean
}

export function openConfirmation(path: string): Confirmation {
  let code = renew()
  let wrongCodes = 0

  function renew(): string {
    const next = newCode()
    // Each start writes another one, so it need not survive a loss of power.
    replaceFile(path, `${next}\n`)
    return next
  }

  return {
    take(text) {
      const isRight = isSameSecret(plain(text), plain(code))
      wrongCodes = isRight ? 0 : wrongCodes + 1
      if (isRight || wrongCodes % MOST_WRONG_CODES === 0) code = renew()
      return isRight
    },
    [Symbol.dispose]: () => rmSync(path, { force: true }),
  }
}

/** The code of the service that runs on the data directory; null when none does. */
export function readConfirmationCode(path: string): string | null {
  return readOwnFile(path)?.trim() || null
}

/** Without letters that look like digits. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** 2^40 codes: a few tries find none. */
const LETTERS_OF_CODE = 8
const MOST_WRONG_CODES = 5

/** As in `K7PM-2QXA`. */
function newCode(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(LETTERS_OF_CODE))].map(
    (byte) => LETTERS[byte % LETTERS.length],
  )
  return [letters.slice(0, LETTERS_OF_CODE / 2), letters.slice(LETTERS_OF_CODE / 2)]
    .map((half) => half.join(''))
    .join('-')
}

function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase()
}
