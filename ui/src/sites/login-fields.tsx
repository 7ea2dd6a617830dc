import Trash from 'lucide-solid/icons/trash'
import { For, Show } from 'solid-js'
import type { SetStoreFunction } from 'solid-js/store'
import { Button, IconButton } from '../base/button.tsx'
import { Field } from '../base/field.tsx'
import { sitesCopy } from '../language/english/sites.ts'
import { EMPTY_LOGIN, HEADER_KINDS, type HeaderKind, type LoginDraft } from './login-draft.ts'
import styles from './site-dialog.module.css'

export interface LoginFieldsProps {
  logins: readonly LoginDraft[]
  setLogins: SetStoreFunction<LoginDraft[]>
}

/** The headers of a site, as a person knows them: a user name and a password, a token, a cookie, or another header. */
export function LoginFields(props: LoginFieldsProps) {
  return (
    <>
      <For each={props.logins}>
        {(login, index) => (
          <div class={styles.login}>
            <div class={styles.kind}>
              <Field label={sitesCopy.logins.kind}>
                {(id) => (
                  <select
                    id={id}
                    value={login.kind}
                    onChange={(event) =>
                      props.setLogins(index(), {
                        kind: kindOf(event.currentTarget.value),
                        name: '',
                        value: '',
                      })
                    }
                  >
                    <For each={HEADER_KINDS}>
                      {({ value, label }) => <option value={value}>{label}</option>}
                    </For>
                  </select>
                )}
              </Field>
              <Show when={props.logins.length > 1}>
                <IconButton
                  label={sitesCopy.logins.remove(index() + 1)}
                  onClick={() => props.setLogins((logins) => logins.filter((_, other) => other !== index()))}
                >
                  <Trash size={18} aria-hidden="true" />
                </IconButton>
              </Show>
            </div>
            <Show when={NAME_LABELS[login.kind]}>
              {(label) => (
                <Field label={label()}>
                  {(id) => (
                    <input
                      id={id}
                      type="text"
                      autocomplete="off"
                      autocapitalize="off"
                      spellcheck={false}
                      required
                      placeholder={login.kind === 'other' ? 'X-API-Key' : undefined}
                      value={login.name}
                      onInput={(event) => props.setLogins(index(), 'name', event.currentTarget.value)}
                    />
                  )}
                </Field>
              )}
            </Show>
            <Field label={sitesCopy.logins.values[login.kind]}>
              {(id) => (
                // Browsers must not keep it, nor offer one that they have kept for Holdall itself.
                <input
                  id={id}
                  type="password"
                  autocomplete="new-password"
                  required
                  placeholder={login.kind === 'cookie' ? 'session=…' : undefined}
                  value={login.value}
                  onInput={(event) => props.setLogins(index(), 'value', event.currentTarget.value)}
                />
              )}
            </Field>
          </div>
        )}
      </For>
      <div>
        <Button
          variant="ghost"
          onClick={() => props.setLogins(props.logins.length, { ...EMPTY_LOGIN, kind: 'other' })}
        >
          {sitesCopy.logins.addHeader}
        </Button>
      </div>
    </>
  )
}

function kindOf(value: string): HeaderKind {
  return HEADER_KINDS.find((kind) => kind.value === value)?.value ?? 'other'
}

const NAME_LABELS: Readonly<Record<HeaderKind, string | null>> = {
  password: sitesCopy.logins.userName,
  token: null,
  cookie: null,
  other: sitesCopy.logins.header,
}
