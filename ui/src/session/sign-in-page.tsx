import { useNavigate } from '@solidjs/router'
import { createSignal, onCleanup, onMount, Show } from 'solid-js'
import { Notice } from '../base/notice.tsx'
import { setTitle } from '../base/title.ts'
import { session } from './session.ts'
import { signInByKey, signInByToken, signInProblem } from './sign-in.ts'

/** Signs in by the link that brought one here, or by a key; says where a link is to be had. */
export function SignInPage() {
  setTitle('Sign in')
  const navigate = useNavigate()
  const [isBusy, setBusy] = createSignal(false)
  const [problem, setProblem] = createSignal(
    session.hasExpired() ? 'You were signed out: your key has expired or was revoked.' : '',
  )
  const [key, setKey] = createSignal('')

  const attempt = async (how: 'link' | 'key', signIn: () => Promise<void>) => {
    setBusy(true)
    setProblem('')
    try {
      await signIn()
      navigate('/', { replace: true })
    } catch (error) {
      setProblem(signInProblem(error, how))
    } finally {
      setBusy(false)
    }
  }

  const useLink = () => {
    const token = location.hash.slice(1)
    if (token === '') return
    // A token that is being used must not stay in the address bar or the history.
    history.replaceState(history.state, '', location.pathname)
    void attempt('link', () => signInByToken(token))
  }
  onMount(() => {
    useLink()
    // A link that is pasted into a tab that is here already changes nothing but the fragment.
    addEventListener('hashchange', useLink)
  })
  onCleanup(() => removeEventListener('hashchange', useLink))

  return (
    <section class="sign-in">
      <h1>Sign in</h1>
      <Show when={problem()}>
        <Notice kind="problem">{problem()}</Notice>
      </Show>
      <p class="lead">
        Open the sign-in link that Holdall printed in its terminal when it started. It works once; run{' '}
        <code>holdall sign-in-link</code> there for a new one.
      </p>
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt('key', () => signInByKey(key().trim()))
        }}
      >
        <div class="field">
          <label for="key">Or paste an API key</label>
          <input
            id="key"
            class="input mono"
            type="password"
            autocomplete="off"
            placeholder="hold_…"
            value={key()}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </div>
        <button type="submit" class="button primary" disabled={isBusy() || key().trim() === ''}>
          {isBusy() ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </section>
  )
}
