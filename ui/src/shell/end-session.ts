import { revokeBrowserKey } from '../api/account.ts'
import { untilDeleted } from '../archive-list/archive-actions.ts'
import { closeToasts } from '../base/toasts.tsx'
import { browserKey, signOut } from '../session/session.ts'

/**
 * Signs out. What the user has deleted is deleted now, as nobody can undo it any more. Then the key of this browser is
 * revoked. A key that was pasted, which a program may use, keeps working.
 */
export async function endSession(): Promise<void> {
  const key = browserKey()
  closeToasts()
  signOut()
  await untilDeleted()
  // If the service can't be reached, the key ends by itself after 30 days.
  if (key !== null) await revokeBrowserKey(key).catch(() => {})
}
