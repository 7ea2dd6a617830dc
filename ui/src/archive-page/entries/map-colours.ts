/** The colours of the map: tokens of styles/tokens.css, as a canvas takes them. */
export type MapColours = Readonly<Record<keyof typeof TOKENS, string>>

const TOKENS = {
  waiting: '--map-waiting',
  fetching: '--map-fetching',
  received: '--map-received',
  stored: '--map-stored',
  fresh: '--map-fresh',
  failed: '--map-failed',
  mark: '--surface',
} as const

/** Reads the tokens as they are where `place` stands: a property resolves what a custom property only repeats. */
export function mapColours(place: HTMLElement): MapColours {
  const probe = document.createElement('span')
  place.append(probe)
  const read = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const colours = {
    waiting: read(TOKENS.waiting),
    fetching: read(TOKENS.fetching),
    received: read(TOKENS.received),
    stored: read(TOKENS.stored),
    fresh: read(TOKENS.fresh),
    failed: read(TOKENS.failed),
    mark: read(TOKENS.mark),
  }
  probe.remove()
  return colours
}
