// ui/decisions/handing-over-links.md says why links are handed over in the address.

import { onCleanup, onMount } from 'solid-js'
import { titleIn } from '../links/find-title.ts'
import { recognisedIn } from '../links/recognise-links.ts'
import { addItems } from './draft.ts'

// Other pages and programs hand over links in the address of the start page: `/#urls=` with any text that contains them, which the
// title of a page may precede (`/#title=Reports&urls=`), or the fields `text` and `url`, which the share menu of a phone fills in
// (see `ui/web-manifest.ts`).

const HANDED_OVER = /^#(?:title=(?<title>[^&]*)&)?urls=(?<urls>.*)$/s

interface HandedOver {
  readonly text: string
  /** Of the page that the links are from. */
  readonly title: string | null
}

/** Read before the router starts, and kept until the start page is shown: the user may have to sign in first. */
let waiting = takeFromAddress()

/** Adds the links that are handed over to the draft, now and as long as the owner exists. Packs nothing. */
export function addHandedOverLinks(): void {
  const deliver = () => {
    const handedOver = waiting ?? takeFromAddress()
    waiting = null
    if (handedOver === null) return
    const { text, title } = handedOver
    addItems(recognisedIn(text), { source: text, title: title ?? titleIn(text) })
  }
  onMount(() => {
    deliver()
    addEventListener('hashchange', deliver)
    onCleanup(() => removeEventListener('hashchange', deliver))
  })
}

/** Removes the text from the address, so that a reload doesn't add it again. */
function takeFromAddress(): HandedOver | null {
  const { pathname, hash, search } = window.location
  if (pathname !== '/') return null
  const inHash = HANDED_OVER.exec(hash)?.groups
  const shared = new URLSearchParams(search)
  const text =
    inHash === undefined
      ? [shared.get('text'), shared.get('url')].filter((part) => part !== null).join('\n')
      : decoded(inHash.urls ?? '')
  if (text === '') return null
  history.replaceState(history.state, '', '/')
  const title = decoded(inHash?.title ?? shared.get('title') ?? '').trim()
  return { text, title: title === '' ? null : title }
}

/** Not by `URLSearchParams`, which would turn the `+` of a URL that was not encoded into a space. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
