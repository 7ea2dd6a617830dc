import KeyRound from 'lucide-solid/icons/key-round'
import { createEffect, createUniqueId, For, on, Show } from 'solid-js'
import { Alert } from '../base/alert.tsx'
import { announce } from '../base/announcer.tsx'
import { MessageText } from '../base/message-text.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { draftLinks } from './draft.ts'
import {
  choiceFor,
  chooseLogin,
  foundLogins,
  hasUnusedLogins,
  type LoginChoice,
  loginProblem,
} from './found-logins.ts'
import styles from './login-question.module.css'
import type { FoundLogin } from './read-logins.ts'

const copy = newArchiveCopy.logins

/** Says which logins were found in what was pasted or dropped, and asks what to do with each. Shows no value. */
export function LoginQuestions() {
  const titles = () => foundLogins().map(titleOf).join('. ')
  createEffect(on(titles, (text) => text !== '' && announce(text)))
  return (
    <>
      <Show when={loginProblem()}>
        {(problem) => (
          <div class={styles.problem}>
            <Alert>
              <MessageText message={problem()} />
            </Alert>
          </div>
        )}
      </Show>
      {/* By origin, so that a choice keeps the focus while links are added. */}
      <For each={foundLogins().map(({ origin }) => origin)}>
        {(origin) => (
          <Show when={foundLogins().find((login) => login.origin === origin)}>
            {(login) => <LoginQuestion login={login()} />}
          </Show>
        )}
      </For>
      <Show when={hasUnusedLogins()}>
        <p class={styles.unused} role="status">
          {draftLinks().length === 0 ? copy.ready : copy.unused}
        </p>
      </Show>
    </>
  )
}

function LoginQuestion(props: { login: FoundLogin }) {
  const name = createUniqueId()
  const choices = (): readonly { choice: LoginChoice; label: string }[] => [
    { choice: 'archive', label: copy.use },
    { choice: 'save', label: copy.save(hostOf(props.login.origin)) },
    { choice: 'leave-out', label: copy.leaveOut },
  ]
  return (
    <fieldset class={styles.question}>
      <legend class={styles.title}>
        <KeyRound size={18} aria-hidden="true" />
        {titleOf(props.login)}
      </legend>
      <For each={choices()}>
        {({ choice, label }) => (
          <label class={styles.choice}>
            <input
              type="radio"
              name={name}
              checked={choiceFor(props.login.origin) === choice}
              onChange={() => chooseLogin(props.login.origin, choice)}
            />
            {label}
          </label>
        )}
      </For>
    </fieldset>
  )
}

/** `A login for example.org: Cookie, Authorization`. */
function titleOf({ origin, isLogin, headers }: FoundLogin): string {
  // Newer versions of HTTP, and so browsers, write them in lower case.
  const names = headers.map(({ name }) => name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()))
  return (isLogin ? copy.login : copy.headers)(hostOf(origin), names.join(', '))
}

/** With the port, unless it is that of the scheme. */
function hostOf(origin: string): string {
  return URL.parse(origin)?.host ?? origin
}
