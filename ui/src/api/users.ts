import { loadPages } from './load-pages.ts'
import { request } from './request.ts'
import type { PageMeta, Plan, SignInLink, User, UserSettings } from './types.ts'

// What the owner does with users. For everybody else these requests fail with `FORBIDDEN`.

/** Returns all users, the owner first. */
export async function listUsers(signal: AbortSignal): Promise<User[]> {
  const itemsOf = (page: { users: User[]; meta: PageMeta }) => page.users
  return (await loadPages({ path: '/users', itemsOf }, signal)).items
}

/** Adds a user, who has no key until they open a sign-in link. */
export async function createUser(body: UserSettings): Promise<User> {
  const { user } = await request<{ user: User }>('POST', '/users', { body })
  return user
}

export async function changePlan(id: string, plan: Plan): Promise<void> {
  await request('PATCH', userPath(id), { body: { plan } })
}

/** Deletes a user with all keys, jobs and archives. */
export async function removeUser(id: string): Promise<void> {
  await request('DELETE', userPath(id))
}

/** Creates a link that signs the user in once. */
export function createSignInLink(id: string): Promise<SignInLink> {
  return request('POST', `${userPath(id)}/sign-in-link`)
}

function userPath(id: string): string {
  return `/users/${encodeURIComponent(id)}`
}
