/** A place that the search finds. */
interface Place {
  readonly title: string
  /** Where it is: the page, and for a field also the section. */
  readonly where: string
  readonly url: string
  /** More words that find it. */
  readonly text: string
}

/**
 * What the search of the pages finds: each section, and each row of a table that has an anchor, which are fields, codes and
 * settings. It is read from the pages themselves, so that nothing on them is missing.
 */
export function searchIndex(pages: ReadonlyMap<string, string>): string {
  const places: Place[] = []
  for (const [path, page] of pages) {
    const title = textOf(/<h1>(.*?)<\/h1>/s.exec(page)?.[1] ?? '')
    for (const [, id = '', heading = '', body = ''] of page.matchAll(SECTION)) {
      const section = textOf(heading)
      // What is in rows with anchors is found there.
      const hasAnchors = body.includes('<tr id=')
      const prose = hasAnchors ? [...body.matchAll(PARAGRAPH)].join(' ') : body.replace(EXAMPLE, ' ')
      places.push({ title: section, where: title, url: `${path}#${id}`, text: textOf(prose) })
      for (const [, anchor = '', cells = ''] of body.matchAll(ROW_START)) {
        const [name = '', ...others] = cells.split('<td>').slice(1).map(textOf)
        const where = [title, section, partOf(anchor)].filter((part) => part !== '').join(', ')
        places.push({
          title: name.replace(/ optional$/, ''),
          where,
          url: `${path}#${anchor}`,
          text: others.join(' '),
        })
      }
    }
  }
  return JSON.stringify(places)
}

/** Of an operation: the same field is often in its body and in its answer. */
function partOf(anchor: string): string {
  if (anchor.includes('.body.')) return 'body'
  return /^\w+\.\d{3}\./.test(anchor) ? 'answer' : ''
}

const SECTION = /<section id="([^"]+)"><h2>(.*?)<\/h2>(.*?)<\/section>/gs
/** Up to the end of the row, or to the first row inside it. */
const ROW_START = /<tr id="([^"]+)">(.*?)(?=<tr|<\/tr>)/gs
const PARAGRAPH = /<p>.*?<\/p>/gs
const EXAMPLE = /<pre.*?<\/pre>/gs

function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|#x27|amp);/g, (entity) => CHARACTERS[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&amp;': '&',
}
