import { type Accessor, createEffect, onCleanup } from 'solid-js'

/** How far below the screen something counts as seen, so that what it brings is there when one gets to it. */
const AHEAD = '600px'

/**
 * Calls `act` when the element comes into sight, and again while it is in sight whenever `changed` changes: after
 * each act that has moved it.
 */
export function whenSeen(element: Element, changed: Accessor<unknown>, act: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) act()
    },
    { rootMargin: AHEAD },
  )
  createEffect(() => {
    changed()
    // To observe it anew has the observer tell at once whether it is in sight.
    observer.unobserve(element)
    observer.observe(element)
  })
  onCleanup(() => observer.disconnect())
}
