import type { Recognised } from '../links/link.ts'
import { withExtension } from './chosen-links.ts'
import { expectedName } from './expected-name.ts'

/**
 * Names links by their texts, as far as nobody has named them; null if that would name none. A text that several links have, such as
 * "Download", says nothing.
 */
export function namedByLabels(items: readonly Recognised[]): Recognised[] | null {
  const counts = new Map<string, number>()
  for (const label of items.flatMap(labelOf)) counts.set(label, (counts.get(label) ?? 0) + 1)
  if (![...counts.values()].includes(1)) return null
  return items.map((item) => {
    const [label] = labelOf(item)
    if (item.kind !== 'link' || label === undefined || counts.get(label) !== 1) return item
    return { ...item, filename: withExtension({ text: label, name: expectedName(item) }) }
  })
}

function labelOf(item: Recognised): string[] {
  return item.kind === 'link' && item.filename === null && item.label !== undefined ? [item.label] : []
}
