import { createMemo, createSignal, createUniqueId, For, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import { ApiError } from '../api/request.ts'
import { changeSettings, type LoadedSettings } from '../api/settings.ts'
import { Field } from '../base/field.tsx'
import { inSentence, MessageError, wordsOfService } from '../base/message.ts'
import { SaveDialog } from '../base/save-dialog.tsx'
import { Snippet } from '../base/snippet.tsx'
import { settingsCopy as copy } from '../language/english/settings.ts'
import { needsCode, type SettingsDraft, type Subject, type SubjectField } from './setting-subjects.ts'
import styles from './settings-dialog.module.css'

export interface SettingsDialogProps {
  subject: Subject
  /** The settings of the moment at which the dialog was opened: what others change meanwhile is not overwritten. */
  loaded: LoadedSettings
  onSaved: (loaded: LoadedSettings) => void
  onClose: () => void
}

/** Changes the settings of one subject. Asks for a code of the machine as soon as a change needs one. */
export function SettingsDialog(props: SettingsDialogProps) {
  // The dialog is made anew for each subject.
  const { subject, loaded } = props
  const before = subject.read(loaded.settings)
  const [draft, setDraft] = createStore<Record<string, string>>({ ...before })
  const [code, setCode] = createSignal('')
  const changes = createMemo(() => subject.changes({ ...draft } satisfies SettingsDraft, before))
  const isConfirmed = () => needsCode(loaded.settings, changes())

  async function save() {
    if (Object.keys(changes()).length === 0) return
    try {
      const body = isConfirmed() ? { ...changes(), code: code().trim() } : changes()
      props.onSaved(await changeSettings(body, loaded.version))
    } catch (error) {
      throw withLabel(error, subject.fields)
    }
  }

  return (
    <SaveDialog title={subject.title} onSave={save} onClose={() => props.onClose()}>
      <p>{subject.lead}</p>
      <For each={subject.fields}>
        {(field) => (
          <SettingInput
            field={field}
            setBy={loaded.settings[field.setting].set_by}
            value={draft[field.name] ?? ''}
            onInput={(text) => setDraft(field.name, text)}
          />
        )}
      </For>
      <Show when={isConfirmed()}>
        <div class={styles.confirmation}>
          <p>{copy.code.lead}</p>
          <Snippet
            label={copy.code.terminal}
            text="holdall settings code"
            copyLabel={copy.code.copy}
            isCompact
          />
          <Field label={copy.code.label}>
            {(id) => (
              <input
                id={id}
                type="text"
                autocomplete="off"
                autocapitalize="characters"
                spellcheck={false}
                required
                maxlength={64}
                value={code()}
                onInput={(event) => setCode(event.currentTarget.value)}
              />
            )}
          </Field>
        </div>
      </Show>
    </SaveDialog>
  )
}

interface SettingInputProps {
  field: SubjectField
  /** The flag or variable that sets it; null if it can be changed. */
  setBy: string | null
  value: string
  onInput: (text: string) => void
}

function SettingInput(props: SettingInputProps) {
  const helpId = createUniqueId()
  const help = () => (props.setBy === null ? props.field.help : copy.setBy(props.setBy))
  return (
    <div>
      <Field label={props.field.label}>
        {(id) => (
          <input
            id={id}
            type={props.field.type}
            step={props.field.type === 'number' ? 'any' : undefined}
            min={props.field.min}
            max={props.field.max}
            // A browser must not save it as the password of this page, nor fill that in.
            autocomplete={props.field.type === 'password' ? 'new-password' : 'off'}
            autocapitalize="off"
            spellcheck={false}
            disabled={props.setBy !== null}
            aria-describedby={help() === undefined ? undefined : helpId}
            value={props.value}
            onInput={(event) => props.onInput(event.currentTarget.value)}
          />
        )}
      </Field>
      <Show when={help()}>
        {(text) => (
          <p id={helpId} class={styles.help}>
            {text()}
          </p>
        )}
      </Show>
    </div>
  )
}

/** The service says "base_url must be an http or https URL", and the form "Base URL: must be an http or https URL". */
function withLabel(error: unknown, fields: readonly SubjectField[]): unknown {
  const [issue] = error instanceof ApiError ? error.issues : []
  if (issue === undefined) return error
  const isAt = (path: string) => issue.path === path || issue.path.startsWith(`${path}.`)
  const field = fields.find(({ path, setting }) => isAt(path ?? setting))
  return field === undefined
    ? error
    : new MessageError(
        inSentence(wordsOfService(issue.message), (problem) => copy.problem(field.label, problem)),
      )
}
