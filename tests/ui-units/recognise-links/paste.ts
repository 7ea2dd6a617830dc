/** A text that a person pastes, and what is to be recognised in it. */
export interface Paste {
  readonly title: string
  readonly text: string
  /** In the order of the text: a URL, or a URL and its file name. */
  readonly links: readonly (string | readonly [url: string, filename: string])[]
  /** The links without a scheme, as they would be with one. */
  readonly schemeless?: readonly string[]
  /** How many lines are ignored. */
  readonly ignored?: number
}

export const A = 'https://a.test/one.pdf'
export const B = 'https://b.test/two.pdf'
export const C = 'http://c.test/three.jpg'
