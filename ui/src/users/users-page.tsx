import { createSignal, Show } from 'solid-js'
import { createPolling } from '../api/polling.ts'
import type { User } from '../api/types.ts'
import { listUsers } from '../api/users.ts'
import { announce } from '../base/announcer.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListSection } from '../base/list-section.tsx'
import { OwnerOnly } from '../base/owner-only.tsx'
import { PageHeader } from '../base/page.tsx'
import { usersCopy } from '../language/english/users.ts'
import { NewUserForm } from './new-user-form.tsx'
import { RemoveUserDialog } from './remove-user-dialog.tsx'
import { SignInLinkDialog } from './sign-in-link-dialog.tsx'
import { UserRow } from './user-row.tsx'

/** The owner's page of users. */
export function UsersPage() {
  const users = createPolling(listUsers, () => REFRESH_MS)
  const [userToSignIn, setUserToSignIn] = createSignal<User>()
  const [userToRemove, setUserToRemove] = createSignal<User>()

  const onCreated = (user: User) => {
    setUserToSignIn(user)
    users.refresh()
  }
  const onRemoved = ({ name }: User) => {
    announce(usersCopy.removed(name))
    setUserToRemove(undefined)
    users.refresh()
  }

  return (
    <>
      <PageHeader title={usersCopy.title} lead={usersCopy.lead} />
      <Show when={users.error()?.code !== 'FORBIDDEN'} fallback={<OwnerOnly />}>
        <NewUserForm onCreated={onCreated} />
        <ListSection title={usersCopy.allUsers} source={users} empty={<NoUsers />}>
          {(user) => (
            <UserRow
              user={user}
              onChanged={users.refresh}
              onSignInLink={() => setUserToSignIn(user)}
              onRemove={() => setUserToRemove(user)}
            />
          )}
        </ListSection>
        <SignInLinkDialog user={userToSignIn()} onClose={() => setUserToSignIn(undefined)} />
        <RemoveUserDialog
          user={userToRemove()}
          onRemoved={onRemoved}
          onClose={() => setUserToRemove(undefined)}
        />
      </Show>
    </>
  )
}

function NoUsers() {
  return <EmptyState title={usersCopy.noUsers} text={usersCopy.noUsersText} />
}

/** Keeps usage and counts up to date. */
const REFRESH_MS = 10_000
