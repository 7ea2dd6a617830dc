import { onCleanup, onMount } from 'solid-js'
import { recognisedIn } from '../links/recognise-links.ts'
import { addItems } from './draft.ts'

// Other pages and programs hand over links in the address of the start page: `/#urls=` with any text that contains them, or
// the fields `text` and `url`, which the share menu of a phone fills in (see `ui/web-manifest.ts`).

const PREFIX = '#urls='

/** Read before the router starts, and kept until the start page is shown: the user may have to sign in first. */
let waiting = takeFromAddress()

/** Adds the links that are handed over to the draft, now and as long as the owner exists. Packs nothing. */
export function addHandedOverLinks(): void {
  const deliver = () => {
    const text = waiting || takeFromAddress()
    waiting = ''
    if (text !== '') addItems(recognisedIn(text), text)
  }
  onMount(() => {
    deliver()
    addEventListener('hashchange', deliver)
    onCleanup(() => removeEventListener('hashchange', deliver))
  })
}

/** Removes the text from the address, so that a reload doesn't add it again. */
function takeFromAddress(): string {
  const { pathname, hash, search } = window.location
  if (pathname !== '/') return ''
  const shared = new URLSearchParams(search)
  const text = hash.startsWith(PREFIX)
    ? decoded(hash.slice(PREFIX.length))
    : [shared.get('text'), shared.get('url')].filter((part) => part !== null).join('\n')
  if (text !== '') history.replaceState(history.state, '', '/')
  return text
}

/** Not by `URLSearchParams`, which would turn the `+` of a URL that was not encoded into a space. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
