import { type Html, html } from '../html.ts'
import type { JsonSchema, OpenapiDocument, OperationObject } from './openapi.ts'
import { docsPage } from './page.ts'

/** The API reference as one page of HTML. */
export function referencePage(document: OpenapiDocument): string {
  const { info, tags, paths, components } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag))
  return docsPage({
    path: '/docs',
    title: `${info.title} API`,
    contents: html`${tags.map(
      ({ name }) =>
        html`<h2>${name}</h2><ul>${ofTag(name).map(
          ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
        )}</ul>`,
    )}
<h2>Schemas</h2>
<ul>${Object.keys(components.schemas).map((name) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>`,
    main: html`<h1>${info.title} API <small>${info.version}</small></h1>
<p>${info.description} Send your key as <code>Authorization: Bearer &lt;API key&gt;</code>
or as <code>X-API-Key</code>.
<a href="/openapi.json">OpenAPI document</a></p>
${tags.flatMap(({ name }) => ofTag(name).map(({ method, path, operation }) => section(method, path, operation)))}
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<section id="${name}"><h2>${name}</h2>${fields(schema)}</section>`,
)}`,
  })
}

function section(method: string, path: string, operation: OperationObject): Html {
  const body = operation.requestBody?.content['application/json']?.schema
  const responses = Object.entries(operation.responses)
  return html`<section id="${operation.operationId}">
<h2>${operation.summary}</h2>
<p><code><b>${method}</b> ${path}</code> ${operation.security === undefined ? '' : 'needs no key'}</p>
<p>${operation.description ?? ''}</p>
${
  operation.parameters.length === 0
    ? ''
    : html`<h3>Parameters</h3>${table(
        operation.parameters.map(({ name, schema, required }) => [name, schema, required]),
      )}`
}
${body === undefined ? '' : html`<h3>Body</h3>${fields(body)}`}
<h3>Responses</h3>
${responses.map(([status, { description, content = {} }]) => {
  const [media] = Object.values(content)
  const events = Object.entries(media?.['x-events'] ?? {})
  // All errors have the same shape, so the page lists only their codes.
  const shape = Number(status) < 400 && media?.schema?.properties !== undefined ? fields(media.schema) : ''
  const line = media?.['x-line']
  const lines = line === undefined ? '' : html`<p>Each line: ${typeOf(line)}</p>`
  return html`<p><b>${status}</b> ${description}</p>${shape}${lines}${
    events.length === 0 ? '' : table(events.map(([name, schema]) => [name, schema, true]))
  }`
})}
</section>`
}

/** One row per field, also of a nullable object. */
function fields(schema: JsonSchema): Html {
  const parts = [schema, ...(schema.anyOf ?? [])].filter(isSchema)
  return table(
    parts.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties)
        .filter((field): field is [string, JsonSchema] => isSchema(field[1]))
        .map(([name, field]): Row => [name, field, required.includes(name)]),
    ),
  )
}

type Row = readonly [name: string, schema: JsonSchema, isRequired: boolean]

function table(rows: readonly Row[]): Html {
  return html`<table>${rows.map(
    ([name, schema, isRequired]) =>
      html`<tr><td><code>${name}</code>${isRequired ? '' : html` <small>optional</small>`}</td><td>${typeOf(schema)}</td><td>${schema.description ?? ''}</td></tr>`,
  )}</table>`
}

function typeOf(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) {
    const types = schema.anyOf.filter(isSchema).map(typeOf)
    return html`${types.map((type, index) => html`${index === 0 ? '' : ' or '}${type}`)}`
  }
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`
  if (schema.enum !== undefined) return html`${schema.enum.map(String).join(', ')}`
  if (isSchema(schema.items)) return html`array${details(schema)} of ${typeOf(schema.items)}`
  if (schema.properties !== undefined) return fields(schema)
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return html`${types}${details(schema)}`
}

/** The format and the bounds of a value, in parentheses. */
function details({ format, minimum, maximum, minItems, maxItems, maxLength }: JsonSchema): string {
  const least = minimum ?? minItems
  const most = maximum ?? maxItems
  // An integer without its own maximum has the maximum of the format, which is not shown.
  const range = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : `${least ?? 0} to ${most}`
  const length = maxLength === undefined ? undefined : `at most ${maxLength} characters`
  const found = [format, range, length].filter((detail) => detail !== undefined)
  return found.length === 0 ? '' : ` (${found.join(', ')})`
}

function isSchema(schema: JsonSchema | boolean | readonly unknown[] | undefined): schema is JsonSchema {
  return typeof schema === 'object' && !Array.isArray(schema)
}
