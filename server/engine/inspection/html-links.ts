import type { FileKind } from '../../vocabulary.ts'
import { FoundLinks } from './found-links.ts'
import { attributeText, type FoundLink, visibleText } from './link-list.ts'
import { type Attributes, scanMarkup, type WantedTags } from './markup.ts'
import { largestOf } from './srcset.ts'

/** What a page has, before its addresses are resolved. */
export interface HtmlPage {
  readonly title: string
  /** The address of `<base>`, perhaps relative; null if it has none. */
  readonly base: string | null
  readonly links: readonly FoundLink[]
  /** Whether scripts seem to make the page: without them it has next to no links and text. */
  readonly needsScript: boolean
}

/** Finds the links of a page. No script is run. */
export function htmlLinks(html: string): HtmlPage {
  const found = new FoundLinks('html')
  const { links } = found
  let title: string | null = null
  let base: string | null = null
  let hasScript = false
  let isInTitle = false
  let textCharacters = 0
  let anchor: OpenAnchor | null = null
  let picture: Candidate[] | null = null
  /** The element that `<source>` and `<track>` belong to. */
  let media: 'audio' | 'video' = 'video'

  function add(
    address: string | undefined,
    hint: FileKind,
    { text = '', mediaType, filename }: Partial<FoundLink> = {},
  ): void {
    const trimmed = address?.trim() ?? ''
    if (trimmed !== '')
      found.add({ address: attributeText(trimmed, 'html'), text, mediaType, filename, hint })
  }

  function closeAnchor(): void {
    if (anchor === null) return
    const { attributes, parts } = anchor
    const text = parts.join('')
    add(attributes.get('href'), 'page', {
      text: text.trim() === '' ? (attributes.get('aria-label') ?? attributes.get('title') ?? '') : text,
      mediaType: attributes.get('type'),
      filename: decodedValue(attributes, 'download'),
    })
    anchor = null
  }

  function closePicture(text = ''): void {
    const largest = picture?.toSorted((a, b) => b.size - a.size)[0]
    picture = null
    if (largest !== undefined) add(largest.address, 'image', { text })
  }

  function image(attributes: Attributes): void {
    const text = attributes.get('alt') ?? ''
    if (text !== '' && anchor !== null) anchor.parts.push(` ${text} `)
    const largest = largestOf(attributes.get('srcset') ?? attributes.get('data-srcset') ?? '')
    const candidate = largest ?? { address: plainSource(attributes), size: 0 }
    // The picture ends with its image.
    if (picture === null) add(candidate.address, 'image', { text })
    else {
      picture.unshift(candidate)
      closePicture(text)
    }
  }

  function start(name: string, attributes: Attributes): void {
    const src = attributes.get('src')
    const mediaType = attributes.get('type')
    switch (name) {
      case 'a':
        closeAnchor()
        anchor = { attributes, parts: [] }
        break
      case 'area':
        add(attributes.get('href'), 'page', { text: attributes.get('alt') ?? '' })
        break
      case 'base':
        base ??= decodedValue(attributes, 'href') ?? null
        break
      case 'title':
        isInTitle = title === null
        break
      case 'script':
        hasScript = true
        break
      case 'img':
        image(attributes)
        break
      case 'picture':
        picture = []
        break
      case 'source':
        if (picture === null) add(src, media, { mediaType })
        else {
          const largest = largestOf(attributes.get('srcset') ?? '')
          if (largest !== null && picture.length < MAX_CANDIDATES) picture.push(largest)
        }
        break
      case 'audio':
      case 'video':
        media = name
        add(src, name)
        add(attributes.get('poster'), 'image')
        break
      case 'track':
        add(src, 'data', { text: attributes.get('label') ?? '' })
        break
      case 'embed':
        add(src, 'other', { mediaType })
        break
      case 'object':
        add(attributes.get('data'), 'other', { mediaType })
        break
      case 'iframe':
      case 'frame':
        add(src, 'page', { text: attributes.get('title') ?? '' })
        break
      case 'link':
        if (FEEDS.test(mediaType ?? '') && /(?:^|\s)alternate(?:\s|$)/i.test(attributes.get('rel') ?? ''))
          add(attributes.get('href'), 'data', { text: attributes.get('title') ?? '', mediaType })
        break
    }
  }

  scanMarkup(html, 'html', WANTED, {
    start,
    end(name) {
      if (name === 'a') closeAnchor()
      else if (name === 'picture') closePicture()
    },
    text(raw) {
      if (isInTitle) title = visibleText(raw, 'html')
      else if (anchor !== null && anchor.parts.length < MAX_PARTS) anchor.parts.push(raw)
      isInTitle = false
      if (textCharacters < LITTLE_TEXT) textCharacters += raw.trim().length
    },
  })
  closeAnchor()
  closePicture()
  const needsScript = hasScript && links.length <= FEW_LINKS && textCharacters < LITTLE_TEXT
  return { title: title ?? '', base, links, needsScript }
}

interface OpenAnchor {
  readonly attributes: Attributes
  readonly parts: string[]
}

interface Candidate {
  readonly address: string | undefined
  readonly size: number
}

/** Pages that load images late have a placeholder in `src`. */
function plainSource(attributes: Attributes): string | undefined {
  const src = attributes.get('src')
  return src === undefined || /^\s*data:/i.test(src) ? (attributes.get('data-src') ?? src) : src
}

function decodedValue(attributes: Attributes, name: string): string | undefined {
  const raw = attributes.get(name)
  return raw === undefined ? undefined : attributeText(raw, 'html')
}

const WANTED: WantedTags = {
  elements: new Set('a area base img source audio video track embed object iframe frame link'.split(' ')),
  attributes: new Set(
    'href src srcset data-src data-srcset data poster type download rel alt title label aria-label'.split(
      ' ',
    ),
  ),
}

const FEEDS = /^application\/(?:rss|atom|feed)\+(?:xml|json)/i

/** More alternatives of a picture, or pieces of the text of a link, are not looked at. */
const MAX_CANDIDATES = 50
const MAX_PARTS = 200

const FEW_LINKS = 2
const LITTLE_TEXT = 300
