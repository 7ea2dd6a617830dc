import { createSignal, Match, Show, Switch } from 'solid-js'
import type { SignInLink, User } from '../api/types.ts'
import { createSignInLink } from '../api/users.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Dialog, DialogActions } from '../base/dialog.tsx'
import { formatDateTime } from '../base/format.ts'
import { LocalLinkNotice } from '../base/local-link.tsx'
import { MessageText } from '../base/message-text.tsx'
import { serviceNow } from '../base/now.ts'
import { Sentence } from '../base/sentence.tsx'
import { Snippet } from '../base/snippet.tsx'
import { createSubmission } from '../base/submission.ts'
import { baseCopy } from '../language/english/base.ts'
import { controlsCopy } from '../language/english/controls.ts'
import { sharingCopy } from '../language/english/sharing.ts'
import { usersCopy } from '../language/english/users.ts'

/** Creates a link that signs a user in, and shows it. Open while `user` is defined. */
export function SignInLinkDialog(props: { user: User | undefined; onClose: () => void }) {
  return (
    <Dialog
      open={props.user !== undefined}
      isWide
      title={usersCopy.link.title(props.user?.name ?? '')}
      onClose={() => props.onClose()}
    >
      <Show when={props.user} keyed>
        {(user) => <NewLink userId={user.id} />}
      </Show>
      <DialogActions>
        <Button onClick={() => props.onClose()}>{controlsCopy.done}</Button>
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
    <Switch fallback={<p>{usersCopy.link.creating}</p>}>
      <Match when={link()}>
        {(link) => (
          <>
            <p>
              <Sentence
                text={usersCopy.link.lead}
                parts={{
                  time: (
                    <time datetime={link().expires_at}>
                      {formatDateTime(link().expires_at, serviceNow())}
                    </time>
                  ),
                }}
              />
            </p>
            <Snippet
              label={sharingCopy.link}
              text={link().url}
              copyLabel={sharingCopy.copyLink}
              variant="primary"
            />
            <LocalLinkNotice url={link().url} />
          </>
        )}
      </Match>
      <Match when={errorMessage()}>
        {(message) => (
          <>
            <Alert>
              <MessageText message={message()} />
            </Alert>
            <div>
              <Button onClick={create}>{baseCopy.tryAgain}</Button>
            </div>
          </>
        )}
      </Match>
    </Switch>
  )
}
