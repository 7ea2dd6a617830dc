import fc from 'fast-check'
import type { OpenapiDocument, OperationObject, ParameterObject } from '../../server/http/docs/openapi.ts'
import { fields } from './fields.ts'
import { oddText, written } from './odd-values.ts'
import { type Formats, valuesOf } from './schema-values.ts'

/** The key that a request sends: a valid one, one that another request created, other text, or none. */
export type KeyChoice = 'valid' | 'created' | 'odd' | 'none'

/**
 * A request as fetch can send it. In its path `{id}`, `{delivery_id}`, `{token}` and `{cursor}` stand for ids, tokens and
 * cursors from earlier responses.
 */
export interface FuzzRequest {
  /** Its operation, as in `GET /jobs/{id}`; null for random combinations of path and method. */
  readonly operation: string | null
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly key: KeyChoice
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: string | Uint8Array | null
  /** Selects one of the ids, tokens or cursors from earlier responses. */
  readonly choice: number
}

/** Requests for the operations of an OpenAPI document, most of them nearly valid. */
export function requestsFor(document: OpenapiDocument, formats: Formats): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, byVerb]) =>
    Object.entries(byVerb).map(([verb, operation]) => ({
      weight: weightOf(verb, path),
      arbitrary: ofOperation(path, verb.toUpperCase(), operation, formats),
    })),
  )
  const anywhere = fc.tuple(otherMethod, fc.constantFrom(...Object.keys(document.paths), ...PAGES))
  const elsewhere = anywhere.chain(([method, path]) =>
    requestOf(null, method, pathsOf(path, []), fc.constant('{}')),
  )
  return fc.oneof({ weight: 9, arbitrary: fc.oneof(...operations) }, { weight: 1, arbitrary: elsewhere })
}

/** Later requests need what earlier ones have created, and cannot use what was deleted at once. */
function weightOf(verb: string, path: string): number {
  if (verb === 'delete') return 1
  return verb === 'post' && !path.includes('{') ? 9 : 3
}

const PAGES = [
  '/',
  '/archives',
  '/archives/{id}',
  '/keys',
  '/assets/app.js',
  '/nothing',
  '/jobs/',
  '/download',
]
const otherMethod = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')

function ofOperation(
  path: string,
  method: string,
  { parameters, requestBody }: OperationObject,
  formats: Formats,
): fc.Arbitrary<FuzzRequest> {
  const schema = requestBody?.content['application/json']?.schema
  const body =
    schema === undefined
      ? fc.constantFrom(null, null, null, '{', '{}', 'x')
      : fc.oneof(
          { weight: 12, arbitrary: valuesOf(schema, formats).map(written) },
          { weight: 1, arbitrary: oddBody },
        )
  return requestOf(`${method} ${path}`, method, pathsOf(path, parameters), body)
}

function requestOf(
  operation: string | null,
  method: string,
  path: fc.Arbitrary<string>,
  body: fc.Arbitrary<string | Uint8Array | null>,
): fc.Arbitrary<FuzzRequest> {
  return fc.record({
    operation: fc.constant(operation),
    method: fc.constant(method),
    path,
    key: fc.oneof(
      { weight: 16, arbitrary: fc.constant<KeyChoice>('valid') },
      { weight: 3, arbitrary: fc.constantFrom<KeyChoice>('created', 'odd', 'none') },
    ),
    fields,
    // fetch sends no body with these methods.
    body: method === 'GET' || method === 'HEAD' ? fc.constant(null) : body,
    choice: fc.noBias(fc.nat()),
  })
}

/** Text that is no JSON, or too much JSON. */
const oddBody: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 30 }),
  oddText,
  fc.constantFrom(
    ' ',
    'null',
    '{"urls":["http://127.0.0.1:9/"],}',
    '{"urls":["http://127.0.0.1:9/"]',
    '{"urls":["http://127.0.0.1:9/"]}{}',
    '\ufeff{}',
    '{"urls":1,"urls":2}',
    '{"\\ud800":"\\udfff"}',
    '['.repeat(50_000),
    '{"a":'.repeat(20_000),
    `[${'1,'.repeat(30_000)}1]`,
    `"${'x'.repeat(70_000)}"`,
  ),
)

function pathsOf(template: string, parameters: readonly ParameterObject[]): fc.Arbitrary<string> {
  const segments = template
    .split('/')
    .map((segment) =>
      segment.startsWith('{')
        ? fc.oneof({ weight: 6, arbitrary: fc.constant(segment) }, { weight: 1, arbitrary: oddPart })
        : fc.constant(segment),
    )
  const queries = fc.oneof(
    {
      weight: 9,
      arbitrary: fc.tuple(...parameters.filter((parameter) => parameter.in === 'query').map(queryOf)),
    },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.tuple(oddPart, oddPart).map((pair) => pair.join('=')),
        { maxLength: 4 },
      ),
    },
  )
  return fc
    .tuple(fc.tuple(...segments), queries)
    .map(([path, query]) => [path.join('/'), query.filter((part) => part !== '').join('&')])
    .map(([path = '', query = '']) => (query === '' ? path : `${path}?${query}`))
}

function queryOf({ name, schema }: ParameterObject): fc.Arbitrary<string> {
  const given = name === 'cursor' ? fc.constant('{cursor}') : valuesOf(schema, {}).map(partOf)
  const once = fc.oneof({ weight: 4, arbitrary: given }, { weight: 1, arbitrary: oddPart })
  // Mostly left out, so that requests with several parameters succeed, too.
  const parts = fc.oneof(fc.constant([]), fc.array(once, { maxLength: 2 }))
  return parts.map((values) => values.map((value) => `${name}=${value}`).join('&'))
}

/** A part of a path or a query, percent-encoded or not. */
const oddPart: fc.Arbitrary<string> = fc.oneof(
  oddText.map(partOf),
  fc.constantFrom('%', '%ff', '%00', '%2e%2e%2f', '.', ';', '+', '[]', '%C0%AF', 'a'.repeat(5_000)),
  fc.uuid(),
)

function partOf(value: unknown): string {
  return encodeURIComponent(String(typeof value === 'object' ? written(value) : value).toWellFormed())
}
