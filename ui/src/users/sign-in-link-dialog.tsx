import { createSignal, Match, Show, Switch } from 'solid-js'
import type { SignInLink, User } from '../api/types.ts'
import { createSignInLink } from '../api/users.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Dialog, DialogActions } from '../base/dialog.tsx'
import { formatDateTime } from '../base/format.ts'
import { LocalLinkNotice } from '../base/local-link.tsx'
import { serviceNow } from '../base/now.ts'
import { Snippet } from '../base/snippet.tsx'
import { createSubmission } from '../base/submission.ts'

/** Creates a link that signs a user in, and shows it. Open while `user` is defined. */
export function SignInLinkDialog(props: { user: User | undefined; onClose: () => void }) {
  return (
    <Dialog
      open={props.user !== undefined}
      isWide
      title={`Sign-in link for ${props.user?.name ?? 'user'}`}
      onClose={() => props.onClose()}
    >
      <Show when={props.user} keyed>
        {(user) => <NewLink userId={user.id} />}
      </Show>
      <DialogActions>
        <Button onClick={() => props.onClose()}>Done</Button>
      </DialogActions>
    </Dialog>
  )
}

function NewLink(props: { userId: string }) {
  const [link, setLink] = createSignal<SignInLink>()
  const { errorMessage, run } = createSubmission()
  const create = () =>
    void run(async () => {
      setLink(await createSignInLink(props.userId))
    })
  create()
  return (
    <Switch fallback={<p>Creating the link…</p>}>
      <Match when={link()}>
        {(link) => (
          <>
            <p>
              Send this link to them. It works once, until{' '}
              <time datetime={link().expires_at}>{formatDateTime(link().expires_at, serviceNow())}</time>.
            </p>
            <Snippet label="Link" text={link().url} copyLabel="Copy link" variant="primary" />
            <LocalLinkNotice url={link().url} />
          </>
        )}
      </Match>
      <Match when={errorMessage()}>
        {(text) => (
          <>
            <Alert>{text()}</Alert>
            <div>
              <Button onClick={create}>Try again</Button>
            </div>
          </>
        )}
      </Match>
    </Switch>
  )
}
