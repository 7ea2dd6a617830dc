import { countOf } from '../../base/format.ts'

/** What the interface says about fixing failed links, packing again and refreshing. */
export const texts = {
  fixLinks: (failed: number) => `Fix ${countOf(failed, 'link')}`,
  fixed: (count: number) => (count === 0 ? 'No links fixed yet' : `${countOf(count, 'link')} fixed`),
  cancel: 'Cancel',
  discard: 'Discard changes',
  continue: 'Continue',
  packAgain: 'Pack again',
  packAgainHint: 'Makes a new archive. Failed links are fetched, all other files are copied.',

  refresh: 'Refresh',
  refreshing: 'Refreshing…',
  refreshTitle: 'Refresh this archive?',
  refreshText:
    'Makes a new archive from the same links. Files that have changed are fetched, all others are copied. This archive is kept until it expires.',
} as const
