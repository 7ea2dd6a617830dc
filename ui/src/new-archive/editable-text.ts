/**
 * Shows a text in an editable element, in text nodes of some lines each. Chromium lays this out twice as fast as a text area,
 * where each line has elements of its own, and a new line divides only its node.
 */
export function showText(field: HTMLElement, text: string): void {
  const lines = text.split(/\r\n?|\n/)
  const nodes: string[] = []
  for (let start = 0; start < lines.length; start += NODE_LINES)
    nodes.push(lines.slice(start, start + NODE_LINES).join('\n'))
  const shown = nodes.map((node, index) => (index < nodes.length - 1 ? `${node}\n` : node))
  // Browsers show the line break at the end only if another one follows.
  field.replaceChildren(...shown, ...(lines.length > 1 && lines.at(-1) === '' ? ['\n'] : []))
}

/** Reads the text of an editable element, as a person has edited it: browsers may have added blocks and line breaks. */
export function shownText(field: Node): string {
  const blocks: string[] = []
  /** What stands between two blocks. */
  let inline = ''
  for (const node of field.childNodes) {
    if (node instanceof HTMLDivElement) {
      if (inline !== '') blocks.push(withoutLastBreak(inline))
      inline = ''
      blocks.push(shownText(node))
    } else {
      inline += node instanceof HTMLBRElement ? '\n' : (node.textContent ?? '')
    }
  }
  if (inline !== '') blocks.push(withoutLastBreak(inline))
  return blocks.join('\n')
}

/** The last line break of a block is there only so that the cursor can be behind the one before it. */
function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/** A new line in a node of all 20,000 lines takes twice as long. */
const NODE_LINES = 200
