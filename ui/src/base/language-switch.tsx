import { For } from 'solid-js'
import { chooseLanguage } from '../language/choose-language.ts'
import { baseCopy } from '../language/english/base.ts'
import { LANGUAGES, language, nameOfLanguage } from '../language/language.ts'
import styles from './language-switch.module.css'

/** The languages of the interface, each by its own name, for pages whose reader may have no account. */
export function LanguageSwitch() {
  return (
    <fieldset class={styles.languages} aria-label={baseCopy.language}>
      <For each={LANGUAGES}>
        {(code) => (
          <button
            type="button"
            class={styles.language}
            lang={code}
            aria-pressed={code === language}
            onClick={() => chooseLanguage(code)}
          >
            {nameOfLanguage(code)}
          </button>
        )}
      </For>
    </fieldset>
  )
}
