import { type Accessor, createEffect, onCleanup } from 'solid-js'

/**
 * Calls `act` when the element scrolls into view. While it stays in view, calls `act` again whenever `dependency`
 * changes, because the content that `act` adds may not be enough to move the element out of view.
 */
export function onVisible(element: Element, dependency: Accessor<unknown>, act: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) act()
    },
    { rootMargin: MARGIN },
  )
  createEffect(() => {
    dependency()
    // Observing the element again makes the observer report at once whether it is visible.
    observer.unobserve(element)
    observer.observe(element)
  })
  onCleanup(() => observer.disconnect())
}

/** An element counts as visible this far below the viewport, so that content loads before the user reaches it. */
const MARGIN = '600px'
