import type { Component } from 'solid-js'
import { lazyPart } from './lazy-part.tsx'

/** Gives the page that the user opened time to load first. */
const PRELOAD_DELAY_MS = 2_000

/**
 * A page whose code is not part of the first download. The code is preloaded soon afterwards, so that the page opens
 * immediately, even if the service has become unreachable in the meantime.
 */
export function lazyPage(load: () => Promise<Component>): Component {
  setTimeout(() => void load().catch(() => {}), PRELOAD_DELAY_MS)
  return lazyPart(load)
}
