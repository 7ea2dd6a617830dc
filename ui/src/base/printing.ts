import { type Accessor, createSignal, onCleanup } from 'solid-js'
import { createMediaQuery } from './media-query.ts'

/** Returns a signal that is true while the page is printed, so that lists show all of their rows. */
export function createPrinting(): Accessor<boolean> {
  const isPrint = createMediaQuery('print')
  const [isBefore, setBefore] = createSignal(false)
  const begin = () => setBefore(true)
  const end = () => setBefore(false)
  // The page is printed as it is when the listeners of this event return.
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  onCleanup(() => {
    removeEventListener('beforeprint', begin)
    removeEventListener('afterprint', end)
  })
  return () => isPrint() || isBefore()
}
