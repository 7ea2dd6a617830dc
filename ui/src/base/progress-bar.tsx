/** How much of something is done. */
export function ProgressBar(props: { label: string; value: number; max: number }) {
  return (
    <progress class="progress" aria-label={props.label} value={props.value} max={Math.max(props.max, 1)} />
  )
}
