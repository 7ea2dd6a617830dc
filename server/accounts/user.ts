import type { PlanName } from '../vocabulary.ts'

export interface User {
  readonly id: string
  /** Unique; commands name users by it. */
  readonly name: string
  readonly plan: PlanName
}

/** The user that the first start creates. */
export const OWNER_NAME = 'owner'

/** Names are typed on the command line and shown in lists, so they are printable, without white space at the ends. */
export function isUserName(name: string): boolean {
  return /^\S(?:.{0,62}\S)?$/u.test(name) && !/\p{C}/u.test(name)
}
