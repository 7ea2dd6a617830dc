// server/decisions/openapi-and-client.md says why this is our own.

import { z } from 'zod'
import type { ErrorCode } from '../../errors.ts'
import { VERSION } from '../../version.ts'
import { MESSAGE_TYPES } from '../../vocabulary.ts'
import { STATUS_OF } from '../error-responses.ts'
import { pageLink, probeResult } from '../inspection/schemas.ts'
import { entry } from '../jobs/entry-schemas.ts'
import { job, jobListItem, progress } from '../jobs/schemas.ts'
import { apiKey, newApiKey } from '../keys/schemas.ts'
import { delivery, notifier } from '../notifiers/schemas.ts'
import { type Operation, operationOf, type SuccessResponse, TAGS } from '../operation.ts'
import { errorEnvelope, pageMeta } from '../schemas.ts'
import { planLimits, serviceSettings, serviceStatus } from '../service/schemas.ts'
import { user } from '../users/schemas.ts'
import { webhook, webhookMessage, webhookWithSecret } from '../webhooks/schemas.ts'

/** A route as Elysia lists it, with the schemas that validate its requests; `detail` is its `Operation`. */
export interface DocumentedRoute {
  readonly method: string
  readonly path: string
  readonly hooks: {
    readonly body?: unknown
    readonly query?: unknown
    readonly params?: unknown
    readonly detail?: unknown
  }
}

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** The part of OpenAPI 3.1 that this document uses. */
export interface OpenapiDocument {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: object
  }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly object[]
  readonly tags: readonly { readonly name: string }[]
  /** By path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  /** What the service sends, by the type of the message. */
  readonly webhooks: Readonly<Record<string, object>>
  readonly components: {
    readonly securitySchemes: object
    readonly schemas: Readonly<Record<string, JsonSchema>>
  }
}

export interface OperationObject {
  readonly tags: readonly string[]
  readonly summary: string
  readonly operationId: string
  readonly description?: string
  /** Empty where no key is needed. */
  readonly security?: readonly object[]
  readonly parameters: readonly ParameterObject[]
  readonly requestBody?: { readonly required: boolean; readonly content: DescribedContent }
  /** By status. */
  readonly responses: Readonly<Record<string, ResponseObject>>
}

export interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: JsonSchema
}

export interface ResponseObject {
  readonly description: string
  readonly content?: DescribedContent
}

/** By media type; `x-events` holds the data of each server-sent event by its name, `x-line` the JSON of each line. */
type DescribedContent = Readonly<
  Record<
    string,
    {
      readonly schema?: JsonSchema
      readonly 'x-events'?: Readonly<Record<string, JsonSchema>>
      readonly 'x-line'?: JsonSchema
    }
  >
>

/** Schemas that the document defines once, under a name, and refers to elsewhere. */
const NAMED = new Map<unknown, string>([
  [job, 'Job'],
  [jobListItem, 'JobListItem'],
  [entry, 'Entry'],
  [progress, 'Progress'],
  [apiKey, 'ApiKey'],
  [newApiKey, 'NewApiKey'],
  [webhook, 'Webhook'],
  [webhookWithSecret, 'WebhookWithSecret'],
  [delivery, 'WebhookDelivery'],
  [webhookMessage, 'WebhookMessage'],
  [notifier, 'Notifier'],
  [user, 'User'],
  [serviceStatus, 'ServiceStatus'],
  [serviceSettings, 'ServiceSettings'],
  [planLimits, 'PlanLimits'],
  [pageMeta, 'PageMeta'],
  [pageLink, 'PageLink'],
  [probeResult, 'ProbeResult'],
  // Not `Error`, which in generated clients would hide that of the language.
  [errorEnvelope, 'ErrorResponse'],
])

/** The OpenAPI 3.1 description of the routes, generated from their operations and their schemas. */
export function openapiDocument(routes: readonly DocumentedRoute[]): OpenapiDocument {
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const route of routes) {
    const operation = operationOf(route.hooks.detail)
    if (operation === null) throw new Error(`${route.method} ${route.path} is not in the API reference`)
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, operation) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Holdall',
      version: VERSION,
      description:
        'Hand it a list of URLs, get one ZIP back. JSON in snake_case; times are ISO 8601 in UTC; sizes are bytes. ' +
        'Unknown fields are ignored, null counts as absent.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    // Items of this list are alternatives: either header is enough.
    security: [{ apiKey: [] }, { apiKeyHeader: [] }],
    tags: TAGS.map((name) => ({ name })),
    paths,
    webhooks: sentMessages(schemaOf(webhookMessage)),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same API key.' },
      },
      schemas: Object.fromEntries([...NAMED].map(([schema, name]) => [name, schemaOf(schema, true)])),
    },
  }
}

function describe(route: DocumentedRoute, operation: Operation): OperationObject {
  const { body, query, params } = route.hooks
  return {
    tags: [operation.tag],
    summary: operation.summary,
    operationId: operation.id,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.isOpen ? { security: [] } : {}),
    parameters: [...parametersOf('path', params), ...parametersOf('query', query)],
    ...(isSchema(body) ? { requestBody: requestBodyOf(body) } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.success).map(([status, success]) => [status, responseOf(success)]),
      ),
      ...errorResponses(errorsOf(route, operation)),
    },
  }
}

function parametersOf(place: 'path' | 'query', schema: unknown): ParameterObject[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: schemaOf(field),
  }))
}

function requestBodyOf(body: z.ZodType): NonNullable<OperationObject['requestBody']> {
  const isOptional = body.safeParse(undefined).success
  return { required: !isOptional, content: { 'application/json': { schema: schemaOf(body) } } }
}

function responseOf(success: SuccessResponse): ResponseObject {
  const { description } = success
  if ('json' in success)
    return { description, content: { 'application/json': { schema: schemaOf(success.json) } } }
  if (!('mediaType' in success)) return { description }
  const { mediaType, events, line } = success
  if (line !== undefined)
    return { description, content: { [mediaType]: { schema: { type: 'string' }, 'x-line': schemaOf(line) } } }
  if (events === undefined) return { description, content: { [mediaType]: {} } }
  // OpenAPI 3.1 cannot describe streams (`itemSchema` comes with 3.2): `x-events` lists the data of each event.
  const data = Object.fromEntries(Object.entries(events).map(([name, schema]) => [name, schemaOf(schema)]))
  return { description, content: { [mediaType]: { schema: { type: 'string' }, 'x-events': data } } }
}

/** The error codes of all routes of this kind, and those that the operation adds. */
function errorsOf({ hooks }: DocumentedRoute, operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = [...(operation.errors ?? [])]
  if (!operation.isOpen) codes.push('UNAUTHORIZED', 'RATE_LIMITED')
  if (hooks.body !== undefined) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  if (hooks.params !== undefined && !operation.isOpen) codes.push('NOT_FOUND')
  // On any route the Host header may be invalid, and the database or the disk may fail.
  return [...new Set<ErrorCode>([...codes, 'INVALID_REQUEST', 'UNAVAILABLE', 'INTERNAL_ERROR'])]
}

function errorResponses(codes: readonly ErrorCode[]): OperationObject['responses'] {
  const byStatus = Map.groupBy(codes, (code) => STATUS_OF[code])
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.join(', '),
        content: { 'application/json': { schema: schemaOf(errorEnvelope) } },
      },
    ]),
  )
}

/** The JSON Schema of a zod schema. Named schemas become references, except in their own definition. */
function schemaOf(schema: unknown, isDefinition = false): JsonSchema {
  if (!isSchema(schema)) return {}
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema, path }) {
      const name = NAMED.get(zodSchema)
      if (name === undefined || (isDefinition && path.length === 0)) return
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
      jsonSchema.$ref = `#/components/schemas/${name}`
    },
  })
  return withoutEmptyParts(json)
}

/** A check of a whole body is `{}` in JSON Schema, which generated clients would turn into a type of its own. */
function withoutEmptyParts(schema: JsonSchema): JsonSchema {
  const parts = schema.allOf?.filter((part) => Object.keys(part).length > 0)
  const [only] = parts?.length === 1 ? parts : []
  return only ?? schema
}

function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType
}

/**
 * The requests that receivers of webhook messages get, by the type of the message (OpenAPI 3.1, section 4.8.1).
 * @param schema the JSON Schema of a message
 */
function sentMessages(schema: object): Readonly<Record<string, object>> {
  return Object.fromEntries(MESSAGE_TYPES.map((type) => [type, { post: sentMessage(type, schema) }]))
}

function sentMessage(type: string, schema: object): object {
  return {
    summary: type,
    operationId: `receive${type.replace(/(?:^|\.)(\w)/g, (_, first) => first.toUpperCase())}`,
    parameters: SIGNED_HEADERS.map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Delivered.' }, 410: { description: 'Disables the webhook.' } },
  }
}

/** By the Standard Webhooks specification. */
const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
