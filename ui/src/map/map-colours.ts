/** The colours of the map: tokens of styles/tokens.css, resolved for use in a canvas. */
export type MapColours = Readonly<Record<keyof typeof TOKENS, string>>

const TOKENS = {
  waiting: '--map-waiting',
  fetching: '--map-fetching',
  received: '--map-received',
  stored: '--map-stored',
  flash: '--map-flash',
  failed: '--map-failed',
  mark: '--surface',
} as const

/**
 * Resolves the tokens for the theme at `parent`. Reading a custom property would only return its unresolved value, so
 * this reads the `color` of a temporary element.
 */
export function resolveMapColours(parent: HTMLElement): MapColours {
  const probe = document.createElement('span')
  parent.append(probe)
  const read = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const colours = {
    waiting: read(TOKENS.waiting),
    fetching: read(TOKENS.fetching),
    received: read(TOKENS.received),
    stored: read(TOKENS.stored),
    flash: read(TOKENS.flash),
    failed: read(TOKENS.failed),
    mark: read(TOKENS.mark),
  }
  probe.remove()
  return colours
}
