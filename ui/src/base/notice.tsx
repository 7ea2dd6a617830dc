import CircleAlert from 'lucide-solid/icons/circle-alert'
import Info from 'lucide-solid/icons/info'
import { type JSX, Show } from 'solid-js'

/** A sentence or two that must be seen. Problems are announced to screen readers as they appear. */
export function Notice(props: { kind: 'problem' | 'info'; children: JSX.Element }) {
  return (
    <div class={`notice ${props.kind}`} role={props.kind === 'problem' ? 'alert' : 'status'}>
      <Show when={props.kind === 'problem'} fallback={<Info aria-hidden="true" />}>
        <CircleAlert aria-hidden="true" />
      </Show>
      <div>{props.children}</div>
    </div>
  )
}
