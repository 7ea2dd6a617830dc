/** Bodies of every kind that the engine packs in its own way: in memory, in place and by a spool file, stored and deflated. */
export const BODY_KINDS = [
  { sizeBytes: 3_000, name: 'small.bin', query: '' },
  { sizeBytes: 9_000, name: 'small.txt', query: '&type=text/plain' },
  { sizeBytes: 40_000, name: 'in-place.bin', query: '' },
  { sizeBytes: 3_000_000, name: 'large.bin', query: '' },
  { sizeBytes: 2_500_000, name: 'large.txt', query: '&type=text/plain' },
  { sizeBytes: 2_000_000, name: 'unknown.bin', query: '&framing=chunked' },
] as const
