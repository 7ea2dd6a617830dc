import { type Component, lazy } from 'solid-js'

/** By then the page that was asked for is there. */
const AHEAD_MS = 2_000

/**
 * A page whose code is no part of what is loaded at first. It is fetched soon after all the same, so that the page
 * opens at once, and opens even when the service has gone away in the meantime.
 */
export function lazyPage(load: () => Promise<Component>): Component {
  setTimeout(() => void load().catch(() => {}), AHEAD_MS)
  return lazy(async () => ({ default: await load() }))
}
