import { A } from '@solidjs/router'
import { For, Show } from 'solid-js'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { formatPercent } from '../base/format.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { Reading } from './reading.ts'
import styles from './reading-status.module.css'

/** How far a long text has been read, and what of the last paste or drop brought no links. */
export function ReadingStatus(props: { reading: Reading }) {
  return (
    <>
      <Show when={props.reading.fraction() !== null}>
        <div class={styles.reading}>
          <progress
            class={styles.progress}
            aria-label={newArchiveCopy.box.reading}
            value={props.reading.fraction() ?? 0}
          />
          <span>{formatPercent(props.reading.fraction() ?? 0)}</span>
          <Button variant="ghost" onClick={() => props.reading.cancel()}>
            {newArchiveCopy.box.cancel}
          </Button>
        </div>
      </Show>
      <Show when={props.reading.refusals().length > 0}>
        <div class={styles.refused}>
          <Alert>
            <For each={props.reading.refusals()}>
              {({ text, file }) => (
                <p>
                  {text}
                  <Show when={/\.zip$/i.test(file ?? '')}>
                    {' '}
                    <A href="/check">{newArchiveCopy.box.checkZip}</A>
                  </Show>
                </p>
              )}
            </For>
          </Alert>
        </div>
      </Show>
    </>
  )
}
