import { createSignal, For, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { ApiError } from '../api/request.ts'
import { changeSite, createSite } from '../api/sites.ts'
import type { Site } from '../api/types.ts'
import { AddressField } from '../base/address-field.tsx'
import { Button } from '../base/button.tsx'
import { Checkbox } from '../base/checkbox.tsx'
import { expiryOf, LIFETIMES, type Lifetime } from '../base/expiry.ts'
import { Field } from '../base/field.tsx'
import { formatDateTime, formatIsoDate } from '../base/format.ts'
import { inSentence, MessageError, wordsOfService } from '../base/message.ts'
import { serviceNow } from '../base/now.ts'
import { SaveDialog } from '../base/save-dialog.tsx'
import { sitesCopy } from '../language/english/sites.ts'
import { EMPTY_LOGIN, headerOf, type LoginDraft, originOf } from './login-draft.ts'
import { LoginFields } from './login-fields.tsx'
import styles from './site-dialog.module.css'

export interface SiteDialogProps {
  /** The site to change; undefined for a new one. */
  site: Site | undefined
  /** Of a new site. */
  address?: string | undefined
  /** Whether the user may share it. */
  mayShare: boolean
  onSaved: (site: Site) => void
  onClose: () => void
}

/** Adds a site, or changes one. A saved login is never shown: it stays as it is, or is entered again. */
export function SiteDialog(props: SiteDialogProps) {
  const copy = sitesCopy.dialog
  // The dialog is made anew for each site.
  const site = props.site
  const [address, setAddress] = createSignal(site?.origin ?? props.address ?? '')
  const [name, setName] = createSignal(site === undefined || isNamedByHost(site) ? '' : site.name)
  const [logins, setLogins] = createStore<LoginDraft[]>([{ ...EMPTY_LOGIN }])
  const [isEntering, setEntering] = createSignal(site === undefined)
  const [lifetime, setLifetime] = createSignal<Lifetime | 'unchanged'>(
    site === undefined ? 'never' : 'unchanged',
  )
  const [date, setDate] = createSignal(formatIsoDate(serviceNow()))
  const [includesSubdomains, setIncludesSubdomains] = createSignal(site?.include_subdomains ?? false)
  const [isShared, setShared] = createSignal(site?.shared ?? false)

  /** Whether a change sends the login elsewhere: the service then wants it anew. */
  const isWider = () =>
    site !== undefined &&
    (originOf(address()) !== site.origin ||
      (includesSubdomains() && !site.include_subdomains) ||
      (isShared() && !site.shared))
  const isLoginShown = () => isEntering() || isWider()

  async function save() {
    const chosen = lifetime()
    const expiresAt = chosen === 'unchanged' ? undefined : expiryOf(chosen, date(), serviceNow())
    const settings = {
      origin: originOf(address()),
      name: name().trim() === '' ? null : name().trim(),
      include_subdomains: includesSubdomains(),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(props.mayShare && { shared: isShared() }),
    }
    const headers = logins.map(headerOf)
    try {
      props.onSaved(
        site === undefined
          ? await createSite({ ...settings, headers })
          : await changeSite(site.id, { ...settings, ...(isLoginShown() && { headers }) }),
      )
    } catch (error) {
      throw withFieldName(error)
    }
  }

  return (
    <SaveDialog
      title={site === undefined ? copy.addTitle : copy.editTitle}
      onSave={save}
      onClose={() => props.onClose()}
    >
      <AddressField
        label={copy.address}
        placeholder="https://example.org"
        value={address()}
        onInput={setAddress}
      />
      <Field label={copy.name}>
        {(id) => (
          <input
            id={id}
            type="text"
            autocomplete="off"
            maxlength={REQUEST_LIMITS.siteNameCharacters}
            placeholder={copy.namePlaceholder}
            value={name()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <fieldset class={styles.group}>
        <legend>{copy.login}</legend>
        <Show
          when={isLoginShown()}
          fallback={
            <div class={styles.saved}>
              <span class={styles.names}>{copy.savedHeaders(site?.header_names.join(', ') ?? '')}</span>
              <Button onClick={() => setEntering(true)}>{copy.enterAgain}</Button>
            </div>
          }
        >
          <Show when={isWider()}>
            <p class={styles.hint}>{copy.isWider}</p>
          </Show>
          <LoginFields logins={logins} setLogins={setLogins} />
        </Show>
      </fieldset>
      <Field label={copy.expires}>
        {(id) => (
          <select id={id} onChange={(event) => setLifetime(lifetimeOf(event.currentTarget.value))}>
            <Show when={site}>
              {(saved) => (
                <option value="unchanged" selected={lifetime() === 'unchanged'}>
                  {copy.asBefore(expiryLabel(saved()))}
                </option>
              )}
            </Show>
            <For each={LIFETIMES}>
              {({ value, label }) => (
                <option value={value} selected={value === lifetime()}>
                  {label}
                </option>
              )}
            </For>
          </select>
        )}
      </Field>
      <Show when={lifetime() === 'date'}>
        <Field label={copy.validThrough}>
          {(id) => (
            <input
              id={id}
              type="date"
              required
              min={formatIsoDate(serviceNow())}
              value={date()}
              onInput={(event) => setDate(event.currentTarget.value)}
            />
          )}
        </Field>
      </Show>
      <Checkbox
        label={copy.subdomains}
        help={copy.subdomainsHelp}
        checked={includesSubdomains()}
        onChange={setIncludesSubdomains}
      />
      <Show when={props.mayShare}>
        <Checkbox label={copy.share} help={copy.shareHelp} checked={isShared()} onChange={setShared} />
      </Show>
    </SaveDialog>
  )
}

function isNamedByHost({ name, origin }: Site): boolean {
  return origin.endsWith(`//${name}`)
}

function lifetimeOf(value: string): Lifetime | 'unchanged' {
  return LIFETIMES.find((lifetime) => lifetime.value === value)?.value ?? 'unchanged'
}

function expiryLabel({ expires_at }: Site): string {
  return expires_at === null ? sitesCopy.dialog.never : formatDateTime(expires_at, serviceNow())
}

/** The service says "origin must be an http or https origin", and the form "The address must be an http or https origin". */
function withFieldName(error: unknown): unknown {
  const [issue] = error instanceof ApiError ? error.issues : []
  const sentence = issue === undefined ? undefined : SENTENCES.find(([path]) => path.test(issue.path))?.[1]
  return issue === undefined || sentence === undefined
    ? error
    : new MessageError(inSentence(wordsOfService(issue.message), sentence))
}

const SENTENCES: readonly (readonly [path: RegExp, sentence: (problem: string) => string])[] = [
  [/^origin$/, sitesCopy.wrong.address],
  [/^name$/, sitesCopy.wrong.name],
  [/^headers\.\d+\.name$/, sitesCopy.wrong.header],
  [/^headers\.\d+\.value$/, sitesCopy.wrong.login],
  [/^expires_at$/, sitesCopy.wrong.expiry],
]
