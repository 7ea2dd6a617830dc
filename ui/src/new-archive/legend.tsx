import { createSignal, For, Show } from 'solid-js'
import { countOf, formatCount } from '../base/format.ts'
import kindColours from '../base/kind-colours.module.css'
import { kindText } from '../map/kind-legend.tsx'
import type { DraftView } from './draft-view.ts'
import styles from './legend.module.css'

/** The legend of the map: how many files there are of each kind and of each host. A press shows only these in the list. */
export function Legend(props: { view: DraftView; duplicateCount: number }) {
  const [showsAllHosts, setShowsAllHosts] = createSignal(false)
  const hosts = () => props.view.facets().hosts
  const shownHosts = () =>
    showsAllHosts() || hosts().length <= FEW_HOSTS + 1
      ? hosts().slice(0, MANY_HOSTS)
      : hosts().slice(0, FEW_HOSTS)
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
      <Show when={hosts().length > 1}>
        <ul class={styles.legend} aria-label="Hosts">
          <For each={shownHosts().map(([host]) => host)}>
            {(host) => (
              <li>
                <button
                  type="button"
                  class={styles.toggle}
                  aria-pressed={props.view.hosts().has(host)}
                  title="Show only these"
                  onClick={() => props.view.toggleHost(host)}
                >
                  <span class={styles.host}>{host}</span>
                  <span class={styles.count}>{formatCount(countIn(hosts(), host))}</span>
                </button>
              </li>
            )}
          </For>
          <Show when={shownHosts().length < Math.min(hosts().length, MANY_HOSTS)}>
            <li>
              <button type="button" class={styles.toggle} onClick={() => setShowsAllHosts(true)}>
                {countOf(hosts().length - shownHosts().length, 'more host')}
              </button>
            </li>
          </Show>
        </ul>
      </Show>
    </>
  )
}

function countIn<T>(counts: readonly (readonly [T, number])[], wanted: T): number {
  return counts.find(([value]) => value === wanted)?.[1] ?? 0
}

/** In one or two lines. */
const FEW_HOSTS = 6
/** More can be found by the filter. */
const MANY_HOSTS = 60
