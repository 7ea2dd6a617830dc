import { For, type ParentProps, Show } from 'solid-js'
import type { OwnerSettings } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { settingsCopy as copy } from '../language/english/settings.ts'
import styles from './service-settings.module.css'
import type { Subject } from './setting-subjects.ts'

export interface SettingsSectionProps {
  subject: Subject
  settings: OwnerSettings
  onEdit: (subject: Subject) => void
}

/** The settings of one subject, which its children show, and a button to edit those that no flag sets. */
export function SettingsSection(props: ParentProps<SettingsSectionProps>) {
  const setters = () => [
    ...new Set(props.subject.fields.map(({ setting }) => props.settings[setting].set_by)),
  ]
  const flags = () => setters().filter((setter) => setter !== null)
  return (
    <section aria-labelledby={props.subject.id}>
      <div class={styles.head}>
        <h3 id={props.subject.id} class={styles.subject}>
          {props.subject.title}
        </h3>
        <Show when={setters().includes(null)}>
          <Button
            aria-label={copy.editSubject(props.subject.title)}
            onClick={() => props.onEdit(props.subject)}
          >
            {copy.edit}
          </Button>
        </Show>
      </div>
      {props.children}
      <For each={flags()}>{(flag) => <p class={styles.note}>{copy.setBy(flag)}</p>}</For>
    </section>
  )
}
