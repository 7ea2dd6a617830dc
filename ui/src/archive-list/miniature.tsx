import { For } from 'solid-js'
import type { SampledFile } from '../api/types.ts'
import { fileKind } from '../base/file-kind.ts'
import styles from './miniature.module.css'

export interface MiniatureProps {
  files: readonly SampledFile[]
  /** What the archive lacks has failed. */
  lacksFailed: boolean
}

/** A small picture of an archive: some of its files, by kind and size, those that it lacks, and their hosts. */
export function Miniature(props: MiniatureProps) {
  return (
    <div class={styles.miniature}>
      <div class={styles.cells} aria-hidden="true">
        <For each={props.files}>
          {({ extension, size }) => (
            <span
              class={styles.cell}
              data-kind={props.lacksFailed && size === null ? 'missing' : fileKind(`.${extension}`)}
              style={{ scale: String(scaleOf(size)) }}
            />
          )}
        </For>
      </div>
      <span class={styles.hosts}>{hostsOf(props.files)}</span>
    </div>
  )
}

/** The side of a cell: a tenth more for each doubling of the size from 1 kB on, and the whole cell from 1 MB on. */
function scaleOf(size: number | null): number {
  const doublings = Math.log2(Math.max(size ?? FULL_BYTES, 1) / SMALL_BYTES)
  return Math.min(1, Math.max(MIN_SCALE, MIN_SCALE + doublings * ((1 - MIN_SCALE) / 10)))
}

/** "example.org", or "example.org +2": the host of most files first. */
function hostsOf(files: readonly SampledFile[]): string {
  const counts = new Map<string, number>()
  for (const { host } of files) counts.set(host, (counts.get(host) ?? 0) + 1)
  const [[first] = [''], ...others] = [...counts].toSorted(([, a], [, b]) => b - a)
  return others.length === 0 ? first : `${first} +${others.length}`
}

const MIN_SCALE = 0.4
const SMALL_BYTES = 1_000
const FULL_BYTES = 1_000_000
