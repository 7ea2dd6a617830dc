/**
 * The text of an editable element. It is in text nodes of some lines each: Chromium lays this out twice as fast as a text area,
 * where each line has elements of its own, and a new line divides only its node.
 */
export class EditableText {
  readonly #field: HTMLElement
  /** The text nodes that are not shown yet. */
  #rest: readonly string[] = []

  constructor(field: HTMLElement) {
    this.#field = field
  }

  /** The text as a person has edited it. */
  get value(): string {
    return textIn(this.#field, this.#rest.join(''))
  }

  /** Shows a text. A long one appears over several frames, so that none of them blocks the page. */
  set value(text: string) {
    const nodes = nodesOf(text)
    this.#field.replaceChildren(...nodes.slice(0, NODES_PER_FRAME))
    this.#rest = nodes.slice(NODES_PER_FRAME)
    this.#showRest(this.#rest)
  }

  #showRest(rest: readonly string[]): void {
    if (rest.length === 0) return
    requestAnimationFrame(() => {
      // Another text may have been set meanwhile.
      if (this.#rest !== rest) return
      this.#field.append(...rest.slice(0, NODES_PER_FRAME))
      this.#rest = rest.slice(NODES_PER_FRAME)
      this.#showRest(this.#rest)
    })
  }
}

function nodesOf(text: string): string[] {
  const lines = text.split(/\r\n?|\n/)
  const nodes: string[] = []
  for (let start = 0; start < lines.length; start += NODE_LINES)
    nodes.push(lines.slice(start, start + NODE_LINES).join('\n'))
  const shown = nodes.map((node, index) => (index < nodes.length - 1 ? `${node}\n` : node))
  // Browsers show the line break at the end only if another one follows.
  return lines.length > 1 && lines.at(-1) === '' ? [...shown, '\n'] : shown
}

/**
 * Reads the text of an element, into which browsers may have put blocks and line breaks.
 * @param rest what will follow in the element
 */
function textIn(element: Node, rest: string): string {
  const blocks: string[] = []
  /** What stands between two blocks. */
  let inline = ''
  for (const node of element.childNodes) {
    if (node instanceof HTMLDivElement) {
      if (inline !== '') blocks.push(withoutLastBreak(inline))
      inline = ''
      blocks.push(textIn(node, ''))
    } else {
      inline += node instanceof HTMLBRElement ? '\n' : (node.textContent ?? '')
    }
  }
  inline += rest
  if (inline !== '') blocks.push(withoutLastBreak(inline))
  return blocks.join('\n')
}

/** The last line break of a block is there only so that the cursor can be behind the one before it. */
function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/** A new line in a node of all 20,000 lines takes twice as long. */
const NODE_LINES = 200

/** 4,000 lines, which are laid out in some 25 ms. */
const NODES_PER_FRAME = 20
