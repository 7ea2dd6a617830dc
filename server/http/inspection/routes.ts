import { Elysia } from 'elysia'
import type { User } from '../../accounts/user.ts'
import type { Source } from '../../engine/job-order.ts'
import type { FoundPage, Inspections } from '../../inspection/inspections.ts'
import type { Log } from '../../logging/log.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, MAX_JOB_BODY_BYTES } from '../body/json-body.ts'
import type { ResponseMemory } from '../body/response-memory.ts'
import { jsonResponse } from '../body/text-stream.ts'
import type { Turns } from '../body/turns.ts'
import { sourcesOf } from '../jobs/json.ts'
import { sourcesBody } from '../jobs/source-schemas.ts'
import { operation, successBody } from '../operation.ts'
import { linksBody, type PageLinksJson, pageLinks, probeResult } from './schemas.ts'

export interface InspectionRoutesOptions {
  readonly authentication: Authentication
  readonly inspections: Inspections
  readonly jsonBody: JsonBody
  readonly memory: ResponseMemory
  readonly turns: Turns
  readonly log: Log
}

/** What can be learned of URLs before they are packed: the links of a page, and what each URL of a list would bring. */
export function inspectionRoutes(options: InspectionRoutesOptions) {
  const { authentication, inspections, jsonBody, memory, turns, log } = options
  return new Elysia()
    .use(authentication)
    .onBeforeHandle(({ caller }) => turns.next(caller.user.id))
    .post(
      '/links',
      async ({ caller, body, request, server }) => {
        server?.timeout(request, STALLED_CLIENT_SECONDS)
        const wanted = { url: body.url, readsFolders: body.folders ?? false, only: null }
        const page = await inspections.page(caller.user, wanted, request.signal)
        disposeWhenClosed(request.signal, page)
        return jsonResponse(pageJson(page), memory, () => turns.next(caller.user.id))
      },
      {
        parse: jsonBody(MAX_BODY_BYTES),
        body: linksBody,
        detail: operation({
          tag: 'Before a job',
          id: 'findLinks',
          summary: 'Find the links of a page',
          description:
            'Of a web page, a feed, a sitemap, or a listing of a directory, of at most 10 MB. The page is fetched as a URL of a job ' +
            'would be; nothing is stored.',
          success: { 200: { description: 'The links.', json: successBody(pageLinks.shape) } },
          errors: ['PAGE_NOT_FETCHED', 'UNAVAILABLE'],
        }),
      },
    )
    .post(
      '/probe',
      ({ caller, body, request, server }) => {
        server?.timeout(request, STALLED_CLIENT_SECONDS)
        return probeResponse(inspections, caller.user, sourcesOf(body), request.signal, log)
      },
      {
        parse: jsonBody(MAX_JOB_BODY_BYTES),
        body: sourcesBody,
        detail: operation({
          tag: 'Before a job',
          id: 'probeUrls',
          summary: 'Check URLs without fetching their files',
          description:
            'A line of JSON for each URL, as soon as its host has answered HEAD, or GET for a single byte where it refuses HEAD. ' +
            'Shares and limits are those of jobs. Close the connection to stop. Nothing is stored.',
          success: {
            200: {
              description: 'The lines. When the connection breaks before its end, some are missing.',
              mediaType: 'application/x-ndjson',
              line: probeResult,
            },
          },
          errors: ['PLAN_LIMIT_EXCEEDED', 'UNAVAILABLE'],
        }),
      },
    )
}

/** A response that nobody waits for may never be read to its end. */
function disposeWhenClosed(closed: AbortSignal, found: Disposable): void {
  if (closed.aborted) found[Symbol.dispose]()
  else closed.addEventListener('abort', () => found[Symbol.dispose](), { once: true })
}

/** The JSON of a page (`PageLinksJson`) in pieces. Disposes of it at their end. */
function* pageJson(found: FoundPage): Generator<string> {
  using _ = found
  const { title, linkLists, ...page } = found
  yield `{"success":true,"title":${JSON.stringify(title)},"links":[`
  let before = ''
  for (const list of linkLists) {
    yield before + UTF8.decode(list.subarray(1, -1))
    before = ','
  }
  const meta: PageLinksJson['meta'] = {
    url: page.url,
    type: page.type,
    total: page.total,
    needs_script: page.needsScript,
    unread_folders: [...page.unreadFolders],
  }
  yield `],"meta":${JSON.stringify(meta)}}`
}

/** Ends when all URLs are known. Breaks off when the service can't go on, so that no client takes a part for the whole. */
function probeResponse(
  inspections: Inspections,
  user: User,
  sources: readonly Source[],
  closed: AbortSignal,
  log: Log,
): Response {
  const stop = new AbortController()
  let unsent = ''
  let changed = Promise.withResolvers<void>()
  const wake = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const onFound = (lines: string) => {
    unsent += lines
    wake()
  }
  const probe = inspections.probe(user, sources, onFound, AbortSignal.any([closed, stop.signal]))
  disposeWhenClosed(closed, probe)
  let isOver = false
  void probe.ended
    .catch((error) => log.error('a check of URLs ended early', { error }))
    .finally(() => {
      isOver = true
      wake()
    })

  async function* lines() {
    using _ = probe
    // JSON allows spaces before a value.
    const heartbeat = setInterval(() => onFound(' '), HEARTBEAT_MS)
    try {
      for (;;) {
        const text = unsent
        unsent = ''
        if (text !== '') yield text
        else if (isOver) break
        else await changed.promise
      }
      const { status } = await probe.ended
      if (status !== 'done') throw new Error('the check was stopped')
    } finally {
      clearInterval(heartbeat)
      stop.abort(new Error('nobody reads on'))
    }
  }
  return new Response(lines(), { headers: HEADERS })
}

const UTF8 = new TextDecoder()

const HEADERS = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  // Otherwise, nginx buffers lines.
  'x-accel-buffering': 'no',
} as const

/** A host may ask for a wait, during which nothing becomes known. */
const HEARTBEAT_MS = 15_000
/** Bun ends a response whose client reads nothing for this long. */
const STALLED_CLIENT_SECONDS = 45
