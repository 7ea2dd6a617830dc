import { gc } from 'bun'

/** Collects the garbage of this thread, and waits for it. */
export function collectGarbage(): void {
  gc(true)
}
