import { createSignal, For, Show } from 'solid-js'
import { formatCount } from '../base/format.ts'
import kindColours from '../base/kind-colours.module.css'
import { baseCopy } from '../language/english/base.ts'
import { controlsCopy } from '../language/english/controls.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { DraftView } from './draft-view.ts'
import styles from './legend.module.css'

const copy = newArchiveCopy.narrowing

/** The legend of the map: how many files there are of each kind, host and folder. A press shows only these in the list. */
export function Legend(props: { view: DraftView; duplicateCount: number }) {
  return (
    <>
      <ul class={styles.legend} aria-label={controlsCopy.kindsOfFiles}>
        <For each={props.view.facets().kinds.map(([kind]) => kind)}>
          {(kind) => (
            <li>
              <button
                type="button"
                class={styles.toggle}
                aria-pressed={props.view.kinds().has(kind)}
                title={copy.showOnlyThese}
                onClick={() => props.view.toggleKind(kind)}
              >
                <span class={`${styles.swatch} ${kindColours.kind}`} data-kind={kind} aria-hidden="true" />
                {controlsCopy.kindCounts[kind](countIn(props.view.facets().kinds, kind))}
              </button>
            </li>
          )}
        </For>
        <Show when={props.duplicateCount > 0}>
          <li class={styles.plain}>
            <span class={styles.swatch} data-kind="duplicate" aria-hidden="true" />
            {baseCopy.duplicates(props.duplicateCount)}
          </li>
        </Show>
      </ul>
      <Show when={props.view.facets().hosts.length > 1}>
        <Names
          label={copy.hosts}
          more={copy.moreHosts}
          counts={props.view.facets().hosts}
          pressed={props.view.hosts()}
          onToggle={props.view.toggleHost}
        />
      </Show>
      <Show when={props.view.facets().folders.length > 0}>
        <Names
          label={copy.folders}
          more={copy.moreFolders}
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
  /** "12 more hosts". */
  more: (count: number) => string
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
              title={copy.showOnlyThese}
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
            {props.more(props.counts.length - FEW)}
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
