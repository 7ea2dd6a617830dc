import type { Warning } from '../api/types.ts'

/** Returns what looks wrong with a file, in a few words. The service's own message says what to do. */
export function warningText({ code, message }: Warning): string {
  if (code === 'EMPTY') return 'Empty file'
  if (code === 'LOGIN_REFUSED') return 'Saved login refused'
  return message.includes('sign-in page')
    ? 'Sign-in page instead of the file'
    : 'Web page instead of the file'
}
