import { mediaTypeIn } from '../../archive/names/media-type.ts'
import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { unpausedTimeout } from '../../time/unpaused-time.ts'
import { type InspectionContext, type InspectionEnvironment, openInspectionContext } from './context.ts'
import { fetchPage, PageTooLarge } from './fetch-page.ts'
import type { InspectedPage, PageOrder } from './inspection.ts'
import { MAX_LINKS, MAX_LISTED_CHARACTERS, type PageLink } from './link-list.ts'
import { linkTest, type ReadPage, type ReceivedPage, readPage } from './page.ts'

/**
 * Fetches a page and finds its links; on request, also those of its folders, one level deep.
 * @throws FetchFailure, PageTooLarge, or NoPage
 */
export async function inspectPage(
  order: PageOrder,
  environment: InspectionEnvironment,
  stop: AbortSignal,
): Promise<InspectedPage> {
  const { url, readsFolders, only } = order
  const deadline = new AbortController()
  using _timeout = unpausedTimeout(DEADLINE_MS, () => deadline.abort(new FetchFailure('Timed out')))
  using context = openInspectionContext(order, environment, AbortSignal.any([stop, deadline.signal]))
  const isWanted = only === null ? () => true : linkTest(only)
  if (!readsFolders) return await inspectAlone(context, url, isWanted)
  // A folder that does not match may have files that do.
  const page = await fetchAndRead(context, url)
  const inside = page.folders.slice(0, MAX_FOLDERS)
  const read = new Map<string, ReadPage>()
  const queue = inside.values()
  let linkCount = 0
  let characters = 0
  const readNext = async () => {
    for (const folder of queue) {
      const found = await readFolder(folder)
      if (found === null) continue
      read.set(folder, found)
      linkCount += found.links.length
      characters += found.links.reduce((sum, { url }) => sum + url.length, 0)
      // No more links are told, and a hundred pages may have a gigabyte of them.
      if (linkCount >= MAX_LINKS || characters >= MAX_LISTED_CHARACTERS) return
    }
  }
  async function readFolder(folder: string): Promise<ReadPage | null> {
    try {
      return await fetchAndRead(context, folder)
    } catch (error) {
      stop.throwIfAborted()
      if (error instanceof FetchFailure || error instanceof PageTooLarge || error instanceof NoPage)
        return null
      throw error
    }
  }
  await Promise.all(Array.from({ length: FOLDERS_AT_ONCE }, readNext))
  const links = page.links.flatMap((link) => {
    const folder = read.get(link.url)
    return folder === undefined ? [link] : linksInside(link, folder)
  })
  const wanted = links.filter(isWanted)
  const total = wanted.length + page.total - page.links.length
  const unread = page.folders.filter((folder) => !read.has(folder))
  return { ...summaryOf(page, wanted.slice(0, MAX_LINKS), total, unread), [Symbol.dispose]() {} }
}

/** The links of one page, which keeps its turn until they were passed on. */
async function inspectAlone(
  context: InspectionContext,
  url: string,
  isWanted: (link: PageLink) => boolean,
): Promise<InspectedPage> {
  using reading = new DisposableStack()
  const page = read(reading.use(await fetchPage(context, url)), isWanted)
  const turn = reading.move()
  return { ...summaryOf(page, page.links, page.total, []), [Symbol.dispose]: () => turn.dispose() }
}

async function fetchAndRead(context: InspectionContext, url: string): Promise<ReadPage> {
  using received = await fetchPage(context, url)
  return read(received)
}

/** @throws NoPage */
function read(received: ReceivedPage, isWanted?: (link: PageLink) => boolean): ReadPage {
  const page = readPage(received, isWanted)
  if (page === null) throw new NoPage(received.contentType)
  return page
}

/** The address leads to a file. */
export class NoPage extends Error {
  override readonly name = 'NoPage'

  constructor(contentType: string | null) {
    const mediaType = mediaTypeIn(contentType)
    super(`It is a file${mediaType === null ? '' : ` (${mediaType})`} and no page.`)
  }
}

/** Files of a folder of a listing keep its name, so that the archive has the same folders. */
function linksInside(folder: PageLink, { type, links }: ReadPage): readonly PageLink[] {
  if (type !== 'listing') return links
  return links.map((link) => ({
    ...link,
    name: `${folder.name}/${link.name}`,
    text: `${folder.name}/${link.text}`,
  }))
}

function summaryOf(
  { url, type, title, needsScript }: ReadPage,
  links: readonly PageLink[],
  total: number,
  unreadFolders: readonly string[],
): Omit<InspectedPage, typeof Symbol.dispose> {
  return { url, type, title, total, needsScript, unreadFolders, links }
}

/** A person waits, and the interface gives up a request after 30 s. */
const DEADLINE_MS = 25_000
const MAX_FOLDERS = 100
const FOLDERS_AT_ONCE = 8
