import { baseCopy } from '../language/english/base.ts'
import { Button } from './button.tsx'
import styles from './show-more.module.css'

export interface ShowMoreProps {
  isLoading?: boolean
  onShowMore: () => void
  ref?: (element: HTMLDivElement) => void
}

/** A button below a list that loads more of it. */
export function ShowMore(props: ShowMoreProps) {
  return (
    <div class={styles.more} ref={props.ref}>
      {/* Not `disabled` while loading: a disabled button loses the focus, and keyboard users press it repeatedly. */}
      <Button aria-disabled={props.isLoading} onClick={() => props.onShowMore()}>
        {baseCopy.showMore}
      </Button>
    </div>
  )
}
