import { z } from 'zod'
import { FILE_KINDS } from '../../vocabulary.ts'
import { sourceUrl } from '../jobs/source-schemas.ts'
import { urlError } from '../jobs/url-error-schema.ts'
import { warning } from '../schemas.ts'

export const linksBody = z.object({
  url: sourceUrl.describe('The page.'),
  folders: z
    .boolean()
    .nullish()
    .describe(
      'Also read the folders of a directory listing, and the sitemaps of an index: one level, 100 at most. The names of files ' +
        "in a folder begin with the folder's name.",
    ),
})

export const pageLink = z.object({
  url: z.string(),
  name: z.string().describe('The expected name in a ZIP.'),
  text: z.string().describe('What the page calls it. Empty if it says nothing.'),
  kind: z.enum(FILE_KINDS).describe('By the media type that the page names, the extension, or the element.'),
})
export type PageLinkJson = z.infer<typeof pageLink>

const pageMeta = z.object({
  url: z.string().describe('The address of the page after redirects.'),
  type: z.enum(['page', 'feed', 'sitemap', 'listing']),
  total: z
    .int()
    .describe(
      'How many links it has, at most 60,000. links holds the first 10,000, or 10 million characters of addresses.',
    ),
  needs_script: z
    .boolean()
    .describe('Whether scripts seem to make the page, so that its links are missing here. No script is run.'),
  unread_folders: z
    .array(z.string())
    .describe('Folders that could not be read, or that are beyond the first 100. Only with folders.'),
})

export const pageLinks = z.object({ title: z.string(), links: z.array(pageLink), meta: pageMeta })
export type PageLinksJson = z.infer<typeof pageLinks>

export const probeResult = z.object({
  position: z.int().describe('The place of the URL in the list, counted from 0.'),
  status: z
    .int()
    .nullable()
    .describe('HTTP status after redirects; 200 for a part (206). Null without a response.'),
  size: z.int().nullable().describe('Bytes. Null if the host does not tell.'),
  type: z.string().nullable().describe('Media type, without parameters.'),
  name: z.string().describe('The expected name in a ZIP.'),
  host: z.string().describe('The host that answered, or that of the URL.'),
  etag: z.string().nullable().describe('URLs of one host with the same tag refer to the same file.'),
  error: urlError.shape.error.nullable(),
  warning: warning.nullable(),
})
export type ProbeResultJson = z.infer<typeof probeResult>
