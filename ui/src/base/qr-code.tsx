import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** A text as a QR code (ISO/IEC 18004), dark on light in every theme, because many readers fail on light on dark. */
export function QrCode(props: { text: string; label: string }) {
  const code = () => encode(props.text, { ecc: 'M', border: QUIET_MODULES })
  return (
    <svg
      class={styles.code}
      role="img"
      aria-label={props.label}
      viewBox={`0 0 ${code().size} ${code().size}`}
      shape-rendering="crispEdges"
    >
      <path d={pathOf(code().data)} />
    </svg>
  )
}

/** One rectangle for each run of dark modules in a row. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => {
      const modules = row.map((isDark) => (isDark ? '#' : ' ')).join('')
      return [...modules.matchAll(/#+/g)].map(
        ({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
      )
    })
    .join('')
}

/** The light border that the standard requires around the code. */
const QUIET_MODULES = 4
