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
  preloaded = preloaded.then(load).catch(() => {})
  return lazyPart(load, placeholder)
}

/** Gives the page that the user opened time to load first. */
const PRELOAD_DELAY_MS = 2_000

/**
 * One page after the other: Safari may run a module before one that it imports, if others import that at the same time and one of them
 * awaits something at its top level, as the catalogue of words does (WebKit bug 242740). Then the page fails until it is loaded again.
 */
let preloaded: Promise<unknown> = new Promise((resolve) => setTimeout(resolve, PRELOAD_DELAY_MS))
