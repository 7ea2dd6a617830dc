import { type Html, html } from '../../html.ts'
import { answerBlock, callBlock } from '../code-blocks.ts'
import { type ExampleCall, exampleCalls } from '../example-calls.ts'
import type { OpenapiDocument } from '../openapi.ts'
import { docsPage } from '../page.ts'
import { type FieldTables, openFieldTables } from './fields.ts'
import { type DocumentedOperation, operationsOf, pathOfTag, referenceContents } from './parts.ts'

/** The page of one tag: its operations, each with its fields, its responses, and a call that a test has made. */
export function operationsPage(document: OpenapiDocument, tag: string): string {
  const operations = operationsOf(document, tag)
  const path = pathOfTag(tag)
  const tables = openFieldTables()
  const calls = exampleCalls()
  return docsPage({
    path,
    title: `${tag} · Holdall API`,
    contents: referenceContents(
      document,
      path,
      operations.map(({ operation }) => [`#${operation.operationId}`, operation.summary]),
    ),
    main: html`<h1>${tag}</h1>
${operations.map((each) => section(each, tables, calls.get(each.operation.operationId)))}`,
  })
}

/** The objects that several operations have. */
export function schemasPage(document: OpenapiDocument): string {
  const { schemas } = document.components
  const tables = openFieldTables()
  return docsPage({
    path: '/docs/reference/schemas',
    title: 'Schemas · Holdall API',
    contents: referenceContents(
      document,
      '/docs/reference/schemas',
      Object.keys(schemas).map((name) => [`#${name}`, name]),
    ),
    main: html`<h1>Schemas</h1>
<p>Objects that several operations respond with.</p>
${Object.entries(schemas).map(
  ([name, schema]) => html`<section id="${name}"><h2>${name}</h2>${tables.fieldsOf(schema, name)}</section>`,
)}`,
  })
}

function section(
  { method, path, operation }: DocumentedOperation,
  { fieldsOf, table, typeOf }: FieldTables,
  call: ExampleCall | undefined,
): Html {
  const { operationId: id, parameters } = operation
  const body = operation.requestBody?.content['application/json']?.schema
  return html`<section id="${id}"><h2><a class="anchor" href="#${id}">${operation.summary}</a></h2>
<p><code><b>${method}</b> ${path}</code> ${operation.security === undefined ? '' : 'needs no key'}</p>
${operation.description === undefined ? '' : html`<p>${operation.description}</p>`}
${
  call === undefined
    ? ''
    : html`<h3>Example</h3>
${callBlock(call.command)}
<p>${answerLine(call)}</p>
${answerBlock(call.answer)}`
}
${
  parameters.length === 0
    ? ''
    : html`<h3>Parameters</h3>${table(
        parameters.map(({ name, schema, required }) => [name, schema, required]),
        id,
      )}`
}
${body === undefined ? '' : html`<h3>Body</h3>${fieldsOf(body, `${id}.body`)}`}
<h3>Responses</h3>
${Object.entries(operation.responses).map(([status, { description, content = {} }]) => {
  const [media] = Object.values(content)
  const events = Object.entries(media?.['x-events'] ?? {})
  const anchor = `${id}.${status}`
  // All errors have the same shape, so the page lists only their codes.
  if (Number(status) >= 400) return html`<p><b>${status}</b> ${errorLinks(description)}</p>`
  const shape = media?.schema?.properties === undefined ? '' : fieldsOf(media.schema, anchor)
  const line = media?.['x-line']
  const lines = line === undefined ? '' : html`<p>Each line: ${typeOf(line, anchor)}</p>`
  return html`<p><b>${status}</b> ${description}</p>${shape}${lines}${
    events.length === 0
      ? ''
      : table(
          events.map(([name, schema]) => [name, schema, true]),
          anchor,
        )
  }`
})}
</section>`
}

function answerLine({ status, answer }: ExampleCall): Html {
  return typeof answer === 'string' && answer.startsWith('HTTP/')
    ? html`The head of the answer, whose body is in the file:`
    : html`The answer, with status ${`${status}`}:`
}

/** The codes of a description such as `NOT_FOUND, FORBIDDEN`. */
function errorLinks(codes: string): Html {
  const links = codes.split(', ').map((code) => html`<a href="/docs/reference/errors#${code}">${code}</a>`)
  return html`${links.map((link, index) => html`${index === 0 ? '' : ', '}${link}`)}`
}
