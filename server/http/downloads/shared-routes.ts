import { Elysia } from 'elysia'
import { z } from 'zod'
import type { ArchivedFile } from '../../downloads/archived-entry-store.ts'
import type { SharedArchives } from '../../downloads/shared-archives.ts'
import { enclose, jsonResponse } from '../body/text-stream.ts'
import { pageMetaToJson } from '../json.ts'
import { operation, successBody } from '../operation.ts'
import { DEFAULT_PAGE_SIZE, entryPageQuery, pageMeta } from '../schemas.ts'
import { type ArchiveUrls, archiveToJson, sharedFileToJson } from './json.ts'
import { PAUSE_SECONDS } from './routes.ts'
import { selectionQuery, sharedArchive, sharedFile, sharedFileParams, tokenParams } from './schemas.ts'
import { paceOf, type Sending, sendFile } from './send-file.ts'
import { selectionToSend, sharedFileToSend } from './shared-file.ts'

const TOKEN_ERRORS = ['INVALID_TOKEN', 'EXPIRED_TOKEN', 'RATE_LIMITED'] as const

/** What somebody with a link sees of an archive, and gets out of it file by file. */
export function sharedRoutes(shared: SharedArchives, sending: Sending, urls: ArchiveUrls) {
  return new Elysia({ prefix: '/download/:token' })
    .get(
      '/archive',
      ({ params: { token }, request }) => ({
        success: true,
        archive: archiveToJson(shared.describe(token), token, request, urls),
      }),
      {
        params: tokenParams,
        detail: operation({
          tag: 'Download',
          id: 'getSharedArchive',
          summary: 'Get what a receiver may know of a ZIP',
          description: 'Never its maker, its sources, their errors or its metadata.',
          isOpen: true,
          success: {
            200: { description: 'The ZIP.', json: successBody({ archive: sharedArchive }) },
          },
          errors: TOKEN_ERRORS,
        }),
      },
    )
    .get(
      '/entries',
      async ({ params: { token }, query: { limit = DEFAULT_PAGE_SIZE, cursor = null } }) => {
        const { memory, nextTurn } = paceOf(token, sending)
        await nextTurn()
        const { files, total, nextCursor } = shared.list(token, { limit, cursor })
        const meta = JSON.stringify(pageMetaToJson(limit, total, nextCursor))
        const json = enclose('{"success":true,"entries":[', listed(files), `],"meta":${meta}}`)
        return jsonResponse(json, memory, nextTurn)
      },
      {
        params: tokenParams,
        query: entryPageQuery,
        detail: operation({
          tag: 'Download',
          id: 'listSharedFiles',
          summary: 'List the files in a ZIP',
          description: 'In the order of the URLs. Empty until the ZIP is finished.',
          isOpen: true,
          success: {
            200: {
              description: 'A page.',
              json: successBody({ entries: z.array(sharedFile), meta: pageMeta }),
            },
          },
          errors: TOKEN_ERRORS,
        }),
      },
    )
    .get(
      '/selection',
      async ({ params: { token }, query, request, server }) => {
        server?.timeout(request, PAUSE_SECONDS)
        const pace = paceOf(token, sending)
        const selection = await shared.openSelection(token, query.positions, pace.nextTurn)
        return sendFile(selectionToSend(selection, pace), request, sending)
      },
      {
        params: tokenParams,
        query: selectionQuery,
        detail: operation({
          tag: 'Download',
          id: 'downloadSelection',
          summary: 'Download some files of a ZIP as a smaller ZIP',
          description: 'Supports HEAD, Range and the conditional headers, as the whole ZIP does.',
          isOpen: true,
          success: {
            200: { description: 'The smaller ZIP.', mediaType: 'application/zip' },
            206: { description: 'The requested range.', mediaType: 'application/zip' },
            304: { description: 'The client has the current one.' },
          },
          errors: [...TOKEN_ERRORS, 'NOT_FOUND', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE'],
        }),
      },
    )
    .get(
      '/entries/:position',
      ({ params, request, server }) => {
        server?.timeout(request, PAUSE_SECONDS)
        const file = shared.openFile(params.token, params.position)
        return sendFile(sharedFileToSend(file, paceOf(params.token, sending)), request, sending)
      },
      {
        params: sharedFileParams,
        detail: operation({
          tag: 'Download',
          id: 'downloadSharedFile',
          summary: 'Download one file out of a ZIP',
          description:
            'With the media type of its name. Supports HEAD and conditional headers, and Range for files that the ZIP ' +
            'stores uncompressed. If the file is damaged, the connection breaks off before its end.',
          isOpen: true,
          success: {
            200: { description: 'The file.', mediaType: '*/*' },
            206: { description: 'The requested range.', mediaType: '*/*' },
            304: { description: 'The client has the current file.' },
          },
          errors: [...TOKEN_ERRORS, 'NOT_FOUND', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE'],
        }),
      },
    )
}

/** Files as the items of a list. */
function* listed(files: Iterable<ArchivedFile>): Generator<string> {
  let before = ''
  for (const file of files) {
    yield before + JSON.stringify(sharedFileToJson(file))
    before = ','
  }
}
