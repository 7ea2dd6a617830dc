import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema, OpenapiDocument } from '../../server/http/openapi.ts'

/** Fails unless an answer is one that `/openapi.json` promises for its route: status, media type and shape. */
export async function expectDocumented(
  origin: string,
  method: string,
  path: string,
  response: Response,
  text: string,
): Promise<void> {
  if (method === 'HEAD') return
  const { document, validator } = await reference(origin)
  const pathname = new URL(path, origin).pathname
  const template = templateOf(document, pathname)
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()]
  const what = `${method} ${path} -> ${response.status}`
  // Unknown routes and methods have no operation: an error is all that they can get.
  const promised = operation?.responses[response.status]?.content
  if (operation !== undefined && operation.responses[response.status] === undefined) {
    throw new Error(`${what} is not in the API reference`)
  }
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? ''
  if (promised !== undefined && !(mediaType in promised)) throw new Error(`${what} is ${mediaType}`)
  if (mediaType !== 'application/json' || pathname === '/openapi.json') return
  const validate = validator(
    operation === undefined
      ? ['components', 'schemas', 'Error']
      : pointerTo(template ?? '', method, response.status),
  )
  if (validate(JSON.parse(text))) return
  throw new Error(`${what} is not as the API reference says: ${JSON.stringify(validate.errors)} in ${text}`)
}

interface Reference {
  readonly document: OpenapiDocument
  validator(pointer: readonly string[]): ValidateFunction
}

let known: Promise<Reference> | undefined

/** One for all services of a test run: what it says does not depend on settings. */
function reference(origin: string): Promise<Reference> {
  known ??= load(origin)
  return known
}

async function load(origin: string): Promise<Reference> {
  const response = await fetch(`${origin}/openapi.json`)
  const document: OpenapiDocument = JSON.parse(await response.text())
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema({ $id: 'openapi', ...closed(document) })
  return {
    document,
    validator(pointer) {
      const reference = `openapi#/${pointer.map(escapePointer).join('/')}`
      const validate = ajv.getSchema(reference)
      if (validate === undefined) throw new Error(`There is no ${reference}`)
      return validate
    },
  }
}

function pointerTo(template: string, method: string, status: number): string[] {
  const media = ['content', 'application/json', 'schema']
  return ['paths', template, method.toLowerCase(), 'responses', `${status}`, ...media]
}

function templateOf(document: OpenapiDocument, pathname: string): string | undefined {
  const matching = Object.keys(document.paths).filter((template) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
  // `/jobs/stats` before `/jobs/{id}`.
  return matching.toSorted((a, b) => a.split('{').length - b.split('{').length).at(0)
}

/** RFC 6901, section 3, in the fragment of a URI (section 6). */
function escapePointer(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** The same document with no room for fields that it does not name. */
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
