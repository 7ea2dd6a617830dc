import { onCleanup, onMount, type ParentProps } from 'solid-js'
import styles from './bottom-bar.module.css'

export interface BottomBarProps {
  /** Moves the focus to the main action when the bar appears. */
  takesFocus?: boolean
}

/**
 * The actions of a page, which stay at the bottom of the window. When the main action has the focus and another one replaces
 * it, the focus moves along.
 */
export function BottomBar(props: ParentProps<BottomBarProps>) {
  let bar: HTMLDivElement | undefined
  let focused: Element | null = null
  const focusMainAction = () =>
    bar?.querySelector<HTMLElement>('[data-variant="primary"]')?.focus({ preventScroll: true })

  function onFocusOut({ target }: FocusEvent) {
    // Later than the event, because an element that is removed loses the focus before it is gone.
    queueMicrotask(() => {
      if (focused === target && focused?.isConnected && document.activeElement !== focused) focused = null
    })
  }

  onMount(() => {
    if (!bar) return
    const root = document.documentElement
    const replaced = new MutationObserver(() => {
      if (focused === null || focused.isConnected || document.activeElement !== document.body) return
      focused = null
      focusMainAction()
    })
    replaced.observe(bar, { childList: true, subtree: true })
    // What floats or scrolls into view stays above the bar.
    const resized = new ResizeObserver(() =>
      root.style.setProperty('--bottom-bar', `${bar?.offsetHeight ?? 0}px`),
    )
    resized.observe(bar)
    if (props.takesFocus) focusMainAction()
    onCleanup(() => {
      replaced.disconnect()
      resized.disconnect()
      root.style.removeProperty('--bottom-bar')
    })
  })

  return (
    <div
      ref={bar}
      class={styles.bar}
      onFocusIn={({ target }) => {
        focused = target
      }}
      onFocusOut={onFocusOut}
    >
      {props.children}
    </div>
  )
}
