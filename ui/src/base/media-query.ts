import { type Accessor, createSignal, onCleanup } from 'solid-js'

/** Returns a signal that is true while a media query matches. */
export function createMediaQuery(query: string): Accessor<boolean> {
  const list = matchMedia(query)
  const [matches, setMatches] = createSignal(list.matches)
  const update = () => setMatches(list.matches)
  list.addEventListener('change', update)
  onCleanup(() => list.removeEventListener('change', update))
  return matches
}
