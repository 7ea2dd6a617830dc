import { z } from 'zod'
import { FetchFailure } from '../fetching/attempts/fetch-failure.ts'
import { type FetchContext, fetchUrl } from '../fetching/fetch-url.ts'
import { parseSourceUrl, splitUrl } from '../fetching/source-url.ts'
import { parseJson } from '../text/parse-json.ts'

/**
 * The link to the bytes of an archive. That of a share page of Holdall (`/share/TOKEN`) is asked for; any other is that already.
 * @returns null if the share page has nothing to download
 * @throws FetchFailure
 */
export async function downloadLinkOf(
  link: string,
  context: FetchContext,
  signal: AbortSignal,
): Promise<string | null> {
  const url = new URL(link)
  const [, base, token] = SHARE_PATH.exec(url.pathname) ?? []
  if (base === undefined || token === undefined) return link
  const aborter = new AbortController()
  signal.addEventListener('abort', () => aborter.abort(signal.reason), { once: true })
  const asked = parseSourceUrl(new URL(`${base}/download/${token}/archive`, url).href)
  using response = await fetchUrl(asked, () => null, context, { switchTo: async () => aborter })
  if (response.status !== 200) return link
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > MAX_ANSWER_CHARACTERS) return link
  }
  const { data } = answerSchema.safeParse(parseJson(text))
  if (data === undefined) return link
  const { status, early_download_url: early } = data.archive
  if (early !== undefined && early !== null) {
    const earlyUrl = URL.parse(early, url.href)
    const target = earlyUrl === null ? null : splitUrl(earlyUrl)
    if (target === null) throw new FetchFailure('Malformed response')
    return target.href
  }
  return status === 'completed' ? new URL(`${base}/download/${token}`, url).href : null
}

const SHARE_PATH = /^(.*)\/share\/([^/]+)\/?$/
const MAX_ANSWER_CHARACTERS = 1_000_000

const answerSchema = z.object({
  archive: z.object({ status: z.string(), early_download_url: z.optional(z.nullable(z.string())) }),
})
