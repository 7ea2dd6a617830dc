import { collectGarbage } from '../collect-garbage.ts'

/**
 * Frees what a job with a long list has left behind in this thread, in the next turn of its event loop. The thread may wait for
 * hours for its next job, and without a collection, the memory of one list after another adds up.
 */
export function collectAfterList(sourceCount: number): void {
  if (sourceCount >= LONG_LIST_LENGTH) setTimeout(collectGarbage, 0)
}

/** A collection takes about 10 ms, which short jobs should not cost. */
const LONG_LIST_LENGTH = 1000
