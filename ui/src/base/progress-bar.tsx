import styles from './progress-bar.module.css'

/** A progress bar from 0 to 1. `animated` shows that work goes on even while the fraction stays the same. */
export function ProgressBar(props: {
  label: string
  fraction: number
  animated?: boolean
  valueText?: string | undefined
}) {
  return (
    <div
      role="progressbar"
      class={styles.track}
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(props.fraction * 100)}
      aria-valuetext={props.valueText}
      data-animated={props.animated ? '' : undefined}
    >
      <div
        class={styles.fill}
        style={{ transform: `translateX(${(Math.min(props.fraction, 1) - 1) * 100}%)` }}
      />
    </div>
  )
}
