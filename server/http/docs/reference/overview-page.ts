import { html } from '../../html.ts'
import type { OpenapiDocument } from '../openapi.ts'
import { docsPage } from '../page.ts'
import { operationsOf, pathOfTag, referenceContents } from './parts.ts'

/** The first page of the reference: what all operations have in common, and a list of them. */
export function overviewPage(document: OpenapiDocument): string {
  const { info, tags } = document
  return docsPage({
    path: '/docs/reference',
    title: `${info.title} API`,
    contents: referenceContents(document, '/docs/reference', []),
    main: html`<h1>${info.title} API <small>${info.version}</small></h1>
<p>${info.description} The same for programs: <a href="/openapi.json">OpenAPI document</a>.</p>
<section id="conventions"><h2>What all operations have in common</h2>
<table>
<tr><td>Key</td><td>Send it as <code>Authorization: Bearer &lt;API key&gt;</code> or as <code>X-API-Key</code>. Never put it into a
URL. <a href="/keys">Create a key</a> for each program.</td></tr>
<tr><td>Answers</td><td>Each JSON object has <code>success</code>. When it is false, <code>error</code> has a <code>code</code> for
programs and a <code>message</code> for people: see <a href="/docs/reference/errors">Errors</a>.</td></tr>
<tr><td>Lists</td><td><code>limit</code> is the length of a page. While <code>meta.has_more</code> is true, send
<code>meta.next_cursor</code> as <code>cursor</code> for the next one.</td></tr>
<tr><td>Ids in paths</td><td>What belongs to somebody else does not exist for you: <code>404</code>.</td></tr>
<tr><td>Requests</td><td>Each response has an <code>X-Request-Id</code>, which the log of the service has, too. Up to
<code>--rate-limit</code> requests per minute and key; then <code>429</code> with <code>Retry-After</code>.</td></tr>
</table></section>
${tags.map(
  ({
    name,
  }) => html`<section id="${pathOfTag(name).split('/').at(-1) ?? ''}"><h2><a href="${pathOfTag(name)}">${name}</a></h2>
<table>${operationsOf(document, name).map(
    ({ method, path, operation }) =>
      html`<tr><td><a href="${pathOfTag(name)}#${operation.operationId}">${operation.summary}</a></td><td><code><b>${method}</b> ${path}</code></td></tr>`,
  )}</table></section>`,
)}`,
  })
}
