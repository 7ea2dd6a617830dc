import type { Component } from 'solid-js'
import { lazyPart } from './lazy-part.tsx'

/**
 * A page, or most of one, whose code is not part of the first download. The code is preloaded soon afterwards, so that it is
 * shown immediately, even if the service has become unreachable in the meantime.
 *
 * @param placeholder shown until the code is loaded
 */
export function lazyPage<Props extends object>(
  load: () => Promise<Component<Props>>,
  placeholder?: Component,
): Component<Props> {
  setTimeout(() => void load().catch(() => {}), PRELOAD_DELAY_MS)
  return lazyPart(load, placeholder)
}

/** Gives the page that the user opened time to load first. */
const PRELOAD_DELAY_MS = 2_000
