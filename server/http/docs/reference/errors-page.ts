import { ERROR_CODES, type ErrorCode } from '../../../errors.ts'
import { STATUS_OF } from '../../error-responses.ts'
import { type Html, html } from '../../html.ts'
import { answerBlock, callBlock } from '../code-blocks.ts'
import { exampleCalls } from '../example-calls.ts'
import type { OpenapiDocument } from '../openapi.ts'
import { docsPage } from '../page.ts'
import { referenceContents } from './parts.ts'

/** What each error code means, and what to do then. */
export function errorsPage(document: OpenapiDocument): string {
  const call = exampleCalls().get('INVALID_REQUEST')
  return docsPage({
    path: '/docs/reference/errors',
    title: 'Errors · Holdall API',
    contents: referenceContents(document, '/docs/reference/errors', [
      ['#shape', 'The shape of an error'],
      ['#codes', 'Codes'],
      ['#urls', 'URLs that fail'],
    ]),
    main: html`<h1>Errors</h1>
<section id="shape"><h2>The shape of an error</h2>
<p>Every error has the same shape. Decide by <code>code</code>; <code>message</code> is a sentence for people, and may change.
<code>issues</code> names the fields of the request that are wrong.</p>
${call === undefined ? '' : html`${callBlock(call.command)}<p>The answer, with status ${`${call.status}`}:</p>${answerBlock(call.answer)}`}
</section>
<section id="codes"><h2>Codes</h2>
<table>${ERROR_CODES.map(
      (code) =>
        html`<tr id="${code}"><td><a class="anchor" href="#${code}"><code>${code}</code></a></td><td>${`${STATUS_OF[code]}`}</td><td>${MEANINGS[code]}</td></tr>`,
    )}</table></section>
<section id="urls"><h2>URLs that fail</h2>
<p>When URLs of a job can't be fetched, the request that created it has long succeeded. The job then has a <code>failure</code>, and
<code>errors</code> lists each URL with its reason, such as <code>HTTP 404</code> or <code>Timed out</code>:
see <a href="/docs/reference/schemas#Job">Job</a> and <a href="/docs/using-holdall#failures">URLs that fail</a>.</p></section>`,
  })
}

const MEANINGS: Readonly<Record<ErrorCode, Html>> = {
  INVALID_REQUEST: html`Something in the request is missing or wrong, or the job is in a state that does not allow it. Change the
request: the same one fails again.`,
  UNAUTHORIZED: html`The key is missing, wrong, expired or revoked. <a href="/docs">A first call</a> shows how to send it.`,
  PLAN_LIMIT_EXCEEDED: html`More URLs, a longer retention or a shorter interval than the plan allows. <code>GET /me</code> says what
it allows.`,
  QUOTA_EXCEEDED: html`The storage of this month, or the place for lists in the database, is used up. Delete archives, keep new ones for
less time, or wait for the next month.`,
  FORBIDDEN: html`The key is right, but only the owner of the service may do this.`,
  INVALID_TOKEN: html`The link is wrong, incomplete, or no longer valid. Take <code>download_url</code> from the job again.`,
  EXPIRED_TOKEN: html`The archive has expired and is deleted. Create the job again, and give a longer <code>expires_in</code>.`,
  NOT_FOUND: html`There is nothing at this path, or what has this id does not exist, is deleted, or belongs to somebody else.`,
  METHOD_NOT_ALLOWED: html`The path exists, but not with this method. The header <code>Allow</code> lists those that it has.`,
  PRECONDITION_FAILED: html`The archive is not the one that <code>If-Match</code> or <code>If-Unmodified-Since</code> names. Download
it from the beginning.`,
  PAYLOAD_TOO_LARGE: html`The body of the request, or the page of <code>POST /links</code>, is larger than may be. Divide
the list.`,
  UNSUPPORTED_MEDIA_TYPE: html`The body is not JSON in UTF-8, or is compressed. Send it as <code>application/json</code>.`,
  PAGE_NOT_FETCHED: html`The page of <code>POST /links</code> could not be fetched or read. The message says why.`,
  RANGE_NOT_SATISFIABLE: html`The archive is shorter than the <code>Range</code> asked for: the file that you have is whole, or another
one.`,
  RATE_LIMITED: html`Too many requests, or too many wrong keys from this address. Wait for the seconds in <code>Retry-After</code>.`,
  INTERNAL_ERROR: html`A fault of the service. Its log has the <code>X-Request-Id</code> of the response. Try again once.`,
  UNAVAILABLE: html`Not at the moment: the disk is full, the archive store does not respond, or too much is going on. Wait for
<code>Retry-After</code>, and send the same request again.`,
}
