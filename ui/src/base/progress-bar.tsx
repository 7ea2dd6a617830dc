import styles from './progress-bar.module.css'

/** A bar from 0 to 1. While something moves that the fraction does not show, light runs along it. */
export function ProgressBar(props: {
  label: string
  fraction: number
  moving?: boolean
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
      data-moving={props.moving ? '' : undefined}
    >
      <div
        class={styles.fill}
        style={{ transform: `translateX(${(Math.min(props.fraction, 1) - 1) * 100}%)` }}
      />
    </div>
  )
}
