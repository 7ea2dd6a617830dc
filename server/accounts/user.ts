import { REQUEST_LIMITS } from '../request-limits.ts'
import type { PlanName } from '../vocabulary.ts'

export interface User {
  readonly id: string
  /** Unique; commands name users by it. */
  readonly name: string
  readonly plan: PlanName
}

/** The user that the first start creates. The name can't change, since it identifies the owner. */
export const OWNER_NAME = 'owner'

/** Whether the service belongs to this user. */
export function isOwner(user: User): boolean {
  return user.name === OWNER_NAME
}

/** Names are typed on the command line and shown in lists, so they are printable, without white space at the ends. */
export function isUserName(name: string): boolean {
  return USER_NAME.test(name) && !/\p{C}/u.test(name)
}

const USER_NAME = new RegExp(`^\\S(?:.{0,${REQUEST_LIMITS.userNameCharacters - 2}}\\S)?$`, 'u')
