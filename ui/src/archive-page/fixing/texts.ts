import { countOf, formatCount } from '../../base/format.ts'

/** What the interface says about fixing failed links, packing again and refreshing. */
export const texts = {
  fixLinks: (failed: number) => `Fix ${countOf(failed, 'link')}`,
  fixed: (count: number) => (count === 0 ? 'No links fixed yet' : `${countOf(count, 'link')} fixed`),
  cancel: 'Cancel',
  discard: 'Discard changes',
  continue: 'Continue',
  packAgain: 'Pack again',
  packAgainHint: 'Makes a new archive. Failed links are fetched, all other files are copied.',

  bulkFix: 'Fix several at once',
  bulkMode: 'How to fix them',
  bulkModes: { text: 'Replace text', column: 'Paste a column' },
  search: 'Find',
  replacement: 'Replace with',
  notFound: 'No failed link contains this text.',
  column: 'New links, one per line, in the order of the failed links',
  columnExample: 'https://example.org/report.pdf\nhttps://example.org/photo.jpg',
  lineCount: (lines: number, links: number) => {
    const counts = `${countOf(lines, 'line')} for ${countOf(links, 'failed link')}.`
    if (lines > links) return `${counts} Lines left over are ignored.`
    return lines < links ? `${counts} Links left over stay as they are.` : counts
  },
  preview: 'Preview',
  willChange: (count: number) => `${countOf(count, 'link')} will change.`,
  cannotChange: (count: number) => `${countOf(count, 'new link')} can’t be used.`,
  more: (count: number) => `${formatCount(count)} more`,
  change: (count: number) => (count === 0 ? 'Change links' : `Change ${countOf(count, 'link')}`),
  changed: (count: number) => `${countOf(count, 'link')} changed`,

  refresh: 'Refresh',
  refreshing: 'Refreshing…',
  refreshTitle: 'Refresh this archive?',
  refreshText:
    'Makes a new archive from the same links. Files that have changed are fetched, all others are copied. This archive is kept until it expires.',
} as const
