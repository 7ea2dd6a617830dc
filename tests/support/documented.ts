import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema, OpenapiDocument } from '../../server/http/docs/openapi.ts'

/** The parts of a response that the API reference describes. */
export interface DescribedResponse {
  readonly method: string
  /** Without the query. */
  readonly pathname: string
  readonly status: number
  /** Without parameters; '' if there is none. */
  readonly mediaType: string
  readonly text: string
}

/** The API reference of a service, to check its responses. */
export interface Reference {
  readonly document: OpenapiDocument
  /**
   * How the status, media type or shape of a response differs from the description of its route; null if it does not.
   */
  faultOf(response: DescribedResponse): string | null
}

/** Expects that `/openapi.json` describes this response for its route. */
export async function expectDocumented(
  origin: string,
  method: string,
  path: string,
  response: Response,
  text: string,
): Promise<void> {
  known ??= openReference(origin)
  const fault = (await known).faultOf({
    method,
    pathname: new URL(path, origin).pathname,
    status: response.status,
    mediaType: response.headers.get('content-type')?.split(';')[0] ?? '',
    text,
  })
  if (fault !== null) throw new Error(fault)
}

/** Shared by all services of a test run, because it does not depend on settings. */
let known: Promise<Reference> | undefined

export async function openReference(origin: string): Promise<Reference> {
  const response = await fetch(`${origin}/openapi.json`)
  const document: OpenapiDocument = JSON.parse(await response.text())
  const validator = validatorsOf(document)
  return {
    document,
    faultOf({ method, pathname, status, mediaType, text }) {
      const template = templateOf(document, pathname)
      const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
      const operation = template === undefined ? undefined : document.paths[template]?.[verb]
      const what = `${method} ${pathname} -> ${status}`
      // Unknown routes and methods have no operation. Their response is always an error.
      const described = operation?.responses[status]?.content
      if (operation !== undefined && operation.responses[status] === undefined) {
        return `${what} is not in the API reference`
      }
      if (method === 'HEAD') return text === '' ? null : `${what} has a body`
      if (described !== undefined && !(mediaType in described) && !('*/*' in described))
        return `${what} is ${mediaType}`
      if (mediaType !== 'application/json' || pathname === '/openapi.json') return null
      const validate = validator(
        operation === undefined
          ? ['components', 'schemas', 'ErrorResponse']
          : pointerTo(template ?? '', verb, status),
      )
      if (validate(JSON.parse(text))) return null
      return `${what} does not match the API reference: ${JSON.stringify(validate.errors)} in ${text}`
    },
  }
}

function validatorsOf(document: OpenapiDocument): (pointer: readonly string[]) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema({ $id: 'openapi', ...closed(document) })
  return (pointer) => {
    const reference = `openapi#/${pointer.map(escapePointer).join('/')}`
    const validate = ajv.getSchema(reference)
    if (validate === undefined) throw new Error(`There is no ${reference}`)
    return validate
  }
}

function pointerTo(template: string, verb: string, status: number): string[] {
  const media = ['content', 'application/json', 'schema']
  return ['paths', template, verb, 'responses', `${status}`, ...media]
}

function templateOf(document: OpenapiDocument, pathname: string): string | undefined {
  const matching = Object.keys(document.paths).filter((template) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
  // Prefers `/jobs/stats` to `/jobs/{id}`.
  return matching.toSorted((a, b) => a.split('{').length - b.split('{').length).at(0)
}

/** Escapes a segment of a JSON pointer in a URI fragment (RFC 6901, sections 3 and 6). */
function escapePointer(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** The same document, but objects allow no fields other than those it names. */
function closed(node: unknown): object {
  if (Array.isArray(node)) return node.map(closedOrAsIs)
  if (typeof node !== 'object' || node === null) return {}
  const entries = Object.entries(node).map(([key, value]) => [key, closedOrAsIs(value)])
  const schema: JsonSchema = Object.fromEntries(entries)
  const isObject = schema.type === 'object' && schema.properties !== undefined
  return isObject ? { additionalProperties: false, ...schema } : schema
}

function closedOrAsIs(node: unknown): unknown {
  return typeof node === 'object' && node !== null ? closed(node) : node
}
