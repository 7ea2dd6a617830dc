import styles from './meter.module.css'

/** A gauge of the fraction that is used, from 0 to 1. It has a warning colour above `warningFrom`. */
export function Meter(props: { label: string; fraction: number; valueText: string; warningFrom?: number }) {
  return (
    <meter
      class={styles.meter}
      aria-label={props.label}
      aria-valuetext={props.valueText}
      value={props.fraction}
      high={props.warningFrom ?? 1}
      optimum={0}
    />
  )
}
