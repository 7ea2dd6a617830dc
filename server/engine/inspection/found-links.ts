import { type FoundLink, type TextSyntax, visibleText } from './link-list.ts'

/**
 * The links of one page as they are found, each address once for itself and once with its first text. A page of 10 MB may have a
 * million of them, which would take hundreds of megabytes: further addresses than {@link MAX_ADDRESSES} are left out.
 */
export class FoundLinks {
  readonly links: FoundLink[] = []
  readonly #syntax: TextSyntax
  /** Whether each address has a text. */
  readonly #addresses = new Map<string, boolean>()

  constructor(syntax: TextSyntax) {
    this.#syntax = syntax
  }

  add(link: FoundLink): void {
    const { address, text } = link
    const hadText = this.#addresses.get(address)
    if (hadText === undefined && this.#addresses.size >= MAX_ADDRESSES) return
    const hasText = hadText !== true && visibleText(text, this.#syntax) !== ''
    if (hadText !== undefined && !hasText) return
    this.#addresses.set(address, hasText)
    this.links.push(link)
  }
}

/** Six times as many as are told, since a filter may want a few of them. They take some 20 MB. */
const MAX_ADDRESSES = 60_000
