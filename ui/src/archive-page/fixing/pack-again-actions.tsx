import RefreshCw from 'lucide-solid/icons/refresh-cw'
import { createSignal, Show } from 'solid-js'
import type { Job } from '../../api/types.ts'
import { fixableCount } from '../../archive-list/archive-state.ts'
import { Button } from '../../base/button.tsx'
import { lazyPart } from '../../base/lazy-part.tsx'
import { archivePageCopy } from '../../language/english/archive-page.ts'

const RefreshDialog = lazyPart(async () => (await import('./refresh-dialog.tsx')).RefreshDialog)

export interface PackAgainActionsProps {
  job: Job
  /** The links that failed or look wrong have been loaded. */
  canFix: boolean
  onFix: () => void
}

/** The ways to make a better archive from a ready one. */
export function PackAgainActions(props: PackAgainActionsProps) {
  const [isRefreshing, setRefreshing] = createSignal(false)
  return (
    <>
      <Show when={fixableCount(props.job) > 0}>
        <Button disabled={!props.canFix} onClick={() => props.onFix()}>
          {archivePageCopy.fixing.fix(fixableCount(props.job))}
        </Button>
      </Show>
      <Button variant="ghost" onClick={() => setRefreshing(true)}>
        <RefreshCw size={18} aria-hidden="true" />
        {archivePageCopy.refreshing.action}
      </Button>
      <Show when={isRefreshing()}>
        <RefreshDialog job={props.job} onClose={() => setRefreshing(false)} />
      </Show>
    </>
  )
}
