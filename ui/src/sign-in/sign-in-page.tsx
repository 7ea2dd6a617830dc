import { Navigate, useLocation } from '@solidjs/router'
import { createSignal, createUniqueId, Match, onCleanup, Show, Switch } from 'solid-js'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { LanguageSwitch } from '../base/language-switch.tsx'
import { MessageText } from '../base/message-text.tsx'
import { useDocumentTitle } from '../base/page.tsx'
import { createSubmission } from '../base/submission.ts'
import { showToast } from '../base/toasts.tsx'
import { signInCopy } from '../language/english/sign-in.ts'
import { sessionExpired, sessionKey } from '../session/session.ts'
import { isToken, signedInName, signInByText, signInByToken } from './sign-in.ts'
import styles from './sign-in-page.module.css'

/** Signs in with the token in the URL, or with a pasted link or API key. Asks first when somebody is signed in. */
export function SignInPage() {
  useDocumentTitle(() => signInCopy.title)
  const location = useLocation<{ from?: string }>()
  const { busy, errorMessage, run } = createSubmission()

  /** While a link is looked at, somebody who is signed in stays on this page. */
  const [isRedeeming, setRedeeming] = createSignal(false)
  const [question, setQuestion] = createSignal<Question | null>(null)
  const [hasFailedLink, setFailedLink] = createSignal(false)

  async function signInFromUrl() {
    const token = takeTokenFromUrl()
    // The user answers for the link that was opened first.
    if (token === null || question() !== null) return
    setRedeeming(true)
    await run(async () => {
      const name = await signedInName()
      if (name === null) await signInByToken(token)
      else setQuestion({ token, name })
    })
    setFailedLink(errorMessage() !== undefined)
    if (question() === null) leave()
  }

  async function confirm({ token }: Question) {
    await run(() => signInByToken(token))
    setQuestion(null)
    leave()
  }

  function leave() {
    const text = errorMessage()
    // A link that doesn't work signs nobody out, so the user leaves this page.
    if (text !== undefined && sessionKey() !== null) showToast({ text })
    setRedeeming(false)
  }

  function decline() {
    setQuestion(null)
    setRedeeming(false)
  }

  void signInFromUrl()
  // Opening a sign-in link in a tab that already shows this page changes only the fragment and loads nothing.
  addEventListener('hashchange', signInFromUrl)
  onCleanup(() => removeEventListener('hashchange', signInFromUrl))

  return (
    <Show
      when={sessionKey() === null || isRedeeming()}
      fallback={<Navigate href={location.state?.from ?? '/'} />}
    >
      <Show
        when={question()}
        fallback={
          <Show when={sessionKey() === null}>
            <Card class={styles.card}>
              <div class={styles.intro}>
                <h1 class={styles.title}>{signInCopy.title}</h1>
                <p class={styles.lead}>{hasFailedLink() ? signInCopy.failedLink : signInCopy.lead}</p>
                <p class={styles.lead}>{signInCopy.ownHelp}</p>
              </div>
              <Switch>
                <Match when={errorMessage()}>
                  {(message) => (
                    <Alert>
                      <MessageText message={message()} />
                    </Alert>
                  )}
                </Match>
                <Match when={sessionExpired()}>
                  <Alert tone="warning">{signInCopy.expired}</Alert>
                </Match>
              </Switch>
              <KeyForm busy={busy()} onKey={(text) => void run(() => signInByText(text))} />
            </Card>
            <div class={styles.languages}>
              <LanguageSwitch />
            </div>
          </Show>
        }
      >
        {(asked) => (
          <Card class={styles.card}>
            <div class={styles.intro}>
              <h1 class={styles.title}>{signInCopy.signedInAs(asked().name)}</h1>
              <p class={styles.lead}>{signInCopy.question(asked().name)}</p>
            </div>
            <div class={styles.row}>
              <Button onClick={decline}>{signInCopy.stay(asked().name)}</Button>
              <Button disabled={busy()} onClick={() => void confirm(asked())}>
                {busy() ? signInCopy.signingIn : signInCopy.useLink}
              </Button>
            </div>
          </Card>
        )}
      </Show>
    </Show>
  )
}

/** A link that was opened while somebody was signed in. */
interface Question {
  readonly token: string
  /** Who is signed in. */
  readonly name: string
}

/** Removes the token from the URL at once, so that it shows neither in the address bar nor in the history. */
function takeTokenFromUrl(): string | null {
  const token = window.location.hash.slice(1)
  if (!isToken(token)) return null
  history.replaceState(history.state, '', window.location.pathname)
  return token
}

function KeyForm(props: { busy: boolean; onKey: (text: string) => void }) {
  const [text, setText] = createSignal('')
  const id = createUniqueId()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (text().trim() !== '') props.onKey(text().trim())
  }
  return (
    <form class={styles.form} onSubmit={submit}>
      <label for={id}>{signInCopy.paste}</label>
      <div class={styles.row}>
        <input
          id={id}
          class={styles.input}
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="hold_…"
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="primary" disabled={props.busy}>
          {props.busy ? signInCopy.signingIn : signInCopy.signIn}
        </Button>
      </div>
    </form>
  )
}
