import type { Warning } from '../api/types.ts'
import { entriesCopy } from '../language/english/entries.ts'

/** Returns what looks wrong with a file, in a few words. The service's own message says what to do. */
export function warningText({ code, message }: Warning): string {
  if (code === 'EMPTY') return entriesCopy.warnings.empty
  if (code === 'LOGIN_REFUSED') return entriesCopy.warnings.loginRefused
  return message.includes('sign-in page') ? entriesCopy.warnings.signInPage : entriesCopy.warnings.page
}
