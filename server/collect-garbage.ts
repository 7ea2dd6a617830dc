import { gc } from 'bun'

/**
 * Collects the garbage of this thread, and waits for it. To be used instead of `Bun.gc`, whose calls the build leaves out:
 * those of libraries made the start slower (`build/executable.ts`).
 */
export function collectGarbage(): void {
  gc(true)
}
