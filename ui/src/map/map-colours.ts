import type { FileKind } from '../base/file-kind.ts'

/** The colours of the map: tokens of styles/tokens.css, resolved for use in a canvas. */
export type MapColours = Readonly<Record<keyof typeof TOKENS, string>> & {
  /** Of files that are not fetched yet, by their kind. */
  readonly kinds: Readonly<Record<FileKind, string>>
}

const TOKENS = {
  fetching: '--map-fetching',
  received: '--map-received',
  stored: '--map-stored',
  flash: '--map-flash',
  check: '--map-check',
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
    fetching: read(TOKENS.fetching),
    received: read(TOKENS.received),
    stored: read(TOKENS.stored),
    flash: read(TOKENS.flash),
    check: read(TOKENS.check),
    failed: read(TOKENS.failed),
    mark: read(TOKENS.mark),
    kinds: {
      image: read('--map-image'),
      video: read('--map-video'),
      audio: read('--map-audio'),
      document: read('--map-document'),
      data: read('--map-data'),
      archive: read('--map-archive'),
      page: read('--map-page'),
      other: read('--map-waiting'),
    },
  }
  probe.remove()
  return colours
}
