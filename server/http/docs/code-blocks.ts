import { type Html, html } from '../html.ts'
import type { JsonValue } from './example-calls.ts'
import { printJson } from './print-json.ts'

/** A command, a program or a file that people copy. */
export function callBlock(text: string): Html {
  return html`<pre tabindex="0"><code>${withPlaces(text)}</code></pre>`
}

/** An answer: JSON is printed for people, and another text stays as it is. */
export function answerBlock(answer: JsonValue): Html {
  const text = typeof answer === 'string' ? answer.trimEnd() : printJson(answer)
  return html`<pre class="answer" tabindex="0"><code>${withPlaces(text)}</code></pre>`
}

/**
 * Marks the places in which the script of the page puts the address of this service and, when somebody is signed in, the
 * key. The page itself never holds a key.
 */
function withPlaces(text: string): Html {
  // A shell that sets the variable first needs the key once.
  const places = text.includes('export KEY=') ? ASSIGNED_PLACES : PLACES
  const parts = text.split(places)
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : place(part)))}`
}

const ADDRESS = '(?:http://)?127\\.0\\.0\\.1:8420'
const ASSIGNED_PLACES = new RegExp(`(${ADDRESS}|\\$\\(dist/holdall key create[^)]*\\))`)
const PLACES = new RegExp(`(${ADDRESS}|\\$KEY|process\\.env\\.KEY|os\\.environ\\["KEY"\\])`)

function place(text: string): Html {
  if (text.endsWith(':8420')) return html`<span data-put="address">${text}</span>`
  const isShell = text.startsWith('$')
  return html`<span data-put="${isShell ? 'key' : 'quoted-key'}">${text}</span>`
}
