import { createResource } from 'solid-js'
import { sessionKey } from '../session/session.ts'
import { getRecentMe } from './account.ts'

/** Returns a signal that is true once the service says that the signed-in user is its owner. */
export function createIsOwner(): () => boolean {
  // If the request fails, the entries for the owner are missing, and the page that is open says why.
  const [isOwner] = createResource(sessionKey, () =>
    getRecentMe().then(
      ({ user }) => user.is_owner,
      () => false,
    ),
  )
  return () => sessionKey() !== null && isOwner() === true
}
