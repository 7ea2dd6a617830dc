import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { formatCount } from '../base/format.ts'
import styles from './too-many-links.module.css'

export interface TooManyLinksProps {
  linkCount: number
  maxLinks: number
  busy: boolean
  onKeepFirst: () => void
  onSplit: () => void
}

/** Says that one archive can't hold all links, and offers what can be done. */
export function TooManyLinks(props: TooManyLinksProps) {
  return (
    <div class={styles.tooMany}>
      <Alert tone="warning">
        <p>
          {formatCount(props.linkCount - props.maxLinks)} too many: an archive can hold{' '}
          {formatCount(props.maxLinks)} files.
        </p>
        <p class={styles.choices}>
          <Button disabled={props.busy} onClick={() => props.onKeepFirst()}>
            Keep the first {formatCount(props.maxLinks)}
          </Button>
          <Button disabled={props.busy} onClick={() => props.onSplit()}>
            Create {formatCount(Math.ceil(props.linkCount / props.maxLinks))} archives
          </Button>
        </p>
      </Alert>
    </div>
  )
}
