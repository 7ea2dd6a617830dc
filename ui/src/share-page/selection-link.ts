import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import type { SharedFile } from '../api/types.ts'

/**
 * The link to a smaller ZIP with some files of the archive; null if their positions make too long a link, as those of every second
 * file of thousands do.
 *
 * @param files all files of the archive, in the order of their positions
 */
export function selectionLink(
  token: string,
  files: readonly SharedFile[],
  isSelected: (position: number) => boolean,
): string | null {
  const ranges: string[] = []
  let first: number | null = null
  let last: number | null = null
  const end = () => {
    if (first !== null) ranges.push(first === last ? `${first}` : `${first}-${last}`)
    first = null
  }
  for (const { position } of files) {
    if (!isSelected(position)) end()
    else {
      first ??= position
      last = position
    }
  }
  end()
  const positions = ranges.join(',')
  return positions.length > REQUEST_LIMITS.positionsCharacters
    ? null
    : `/download/${token}/selection?positions=${positions}`
}
