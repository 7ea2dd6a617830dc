import { createSignal, For, Show } from 'solid-js'
import { countOf, formatCount } from '../base/format.ts'
import kindColours from '../base/kind-colours.module.css'
import { kindText } from '../map/kind-legend.tsx'
import type { DraftView } from './draft-view.ts'
import styles from './legend.module.css'

/** The legend of the map: how many files there are of each kind, host and folder. A press shows only these in the list. */
export function Legend(props: { view: DraftView; duplicateCount: number }) {
  return (
    <>
      <ul class={styles.legend} aria-label="Kinds of files">
        <For each={props.view.facets().kinds.map(([kind]) => kind)}>
          {(kind) => (
            <li>
              <button
                type="button"
                class={styles.toggle}
                aria-pressed={props.view.kinds().has(kind)}
                title="Show only these"
                onClick={() => props.view.toggleKind(kind)}
              >
                <span class={`${styles.swatch} ${kindColours.kind}`} data-kind={kind} aria-hidden="true" />
                {kindText(kind, countIn(props.view.facets().kinds, kind))}
              </button>
            </li>
          )}
        </For>
        <Show when={props.duplicateCount > 0}>
          <li class={styles.plain}>
            <span class={styles.swatch} data-kind="duplicate" aria-hidden="true" />
            {countOf(props.duplicateCount, 'duplicate')}
          </li>
        </Show>
      </ul>
      <Show when={props.view.facets().hosts.length > 1}>
        <Names
          label="Hosts"
          noun="host"
          counts={props.view.facets().hosts}
          pressed={props.view.hosts()}
          onToggle={props.view.toggleHost}
        />
      </Show>
      <Show when={props.view.facets().folders.length > 0}>
        <Names
          label="Folders"
          noun="folder"
          counts={props.view.facets().folders}
          pressed={props.view.folders()}
          onToggle={props.view.toggleFolder}
        />
      </Show>
    </>
  )
}

interface NamesProps {
  label: string
  noun: string
  counts: readonly (readonly [string, number])[]
  pressed: ReadonlySet<string>
  onToggle: (name: string) => void
}

/** Names with their counts, the first of them at once. */
function Names(props: NamesProps) {
  const [showsAll, setShowsAll] = createSignal(false)
  const maxShown = () => (showsAll() || props.counts.length <= FEW + 1 ? MANY : FEW)
  const shown = () => props.counts.slice(0, maxShown()).map(([name]) => name)
  return (
    <ul class={styles.legend} aria-label={props.label}>
      <For each={shown()}>
        {(name) => (
          <li>
            <button
              type="button"
              class={styles.toggle}
              aria-pressed={props.pressed.has(name)}
              title="Show only these"
              onClick={() => props.onToggle(name)}
            >
              <span class={styles.text}>{name}</span>
              <span class={styles.count}>{formatCount(countIn(props.counts, name))}</span>
            </button>
          </li>
        )}
      </For>
      <Show when={maxShown() === FEW}>
        <li>
          <button type="button" class={styles.toggle} onClick={() => setShowsAll(true)}>
            {countOf(props.counts.length - FEW, `more ${props.noun}`)}
          </button>
        </li>
      </Show>
    </ul>
  )
}

function countIn<T>(counts: readonly (readonly [T, number])[], wanted: T): number {
  return counts.find(([value]) => value === wanted)?.[1] ?? 0
}

/** In one or two lines. */
const FEW = 6
/** More can be found by the filter. */
const MANY = 60
