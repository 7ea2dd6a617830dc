import { type Component, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { ArchiveState } from '../archive-list/archive-state.ts'
import { BottomBar } from '../base/bottom-bar.tsx'
import { ShareButton } from '../base/share-button.tsx'
import { ActiveActions, ActiveStatus } from './active-panel.tsx'
import styles from './archive-panel.module.css'
import { ExpiredActions, ExpiredStatus } from './expired-panel.tsx'
import type { PanelProps } from './panel-status.tsx'
import { ReadyActions, ReadyStatus } from './ready-panel.tsx'
import { StoppedActions, StoppedStatus } from './stopped-panel.tsx'

/** The state of an archive and its main actions, where a new archive has its button to pack. */
export function ArchivePanel(props: PanelProps) {
  const parts = () => PANELS[props.state]
  const shareUrl = () => (props.state === 'expired' ? undefined : props.job.share_url)
  return (
    <BottomBar takesFocus={props.isNew}>
      <div class={styles.panel} data-fixing={props.isFixing ? '' : undefined}>
        <Dynamic component={parts().Status} {...props} />
        <div class={styles.actions}>
          {/* Stays, with the focus and its open dialog, when the archive becomes ready. */}
          <Show when={shareUrl()}>
            {(url) => (
              <ShareButton
                url={url()}
                expiresAt={props.job.status === 'completed' ? props.job.expires_at : null}
              />
            )}
          </Show>
          <Dynamic component={parts().Actions} {...props} />
        </div>
      </div>
    </BottomBar>
  )
}

interface PanelParts {
  readonly Status: Component<PanelProps>
  readonly Actions: Component<PanelProps>
}

const ACTIVE: PanelParts = { Status: ActiveStatus, Actions: ActiveActions }
const STOPPED: PanelParts = { Status: StoppedStatus, Actions: StoppedActions }
const PANELS: Readonly<Record<ArchiveState, PanelParts>> = {
  waiting: ACTIVE,
  running: ACTIVE,
  ready: { Status: ReadyStatus, Actions: ReadyActions },
  expired: { Status: ExpiredStatus, Actions: ExpiredActions },
  failed: STOPPED,
  cancelled: STOPPED,
}
