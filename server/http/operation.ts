import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

/** The documentation of a route in the API reference, in addition to the schemas that validate its requests. */
export interface Operation {
  readonly tag: (typeof TAGS)[number]
  /** Its `operationId`: a verb and a noun. Generated clients call their function by it. */
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** Whether it needs no API key. */
  readonly isOpen?: true
  /** Responses of requests that succeed, by status. */
  readonly success: Readonly<Record<number, SuccessResponse>>
  /** Codes in addition to those of every route of its kind. */
  readonly errors?: readonly ErrorCode[]
}

export type SuccessResponse =
  | { readonly description: string; readonly json: z.ZodType }
  | {
      readonly description: string
      readonly mediaType: string
      /** The data of each server-sent event, by its name. */
      readonly events?: Readonly<Record<string, z.ZodType>>
      /** The JSON of each line. */
      readonly line?: z.ZodType
    }
  | { readonly description: string }

/** The sections of the API reference, in their order. */
export const TAGS = [
  'Jobs',
  'Before a job',
  'Schedules',
  'Sites',
  'Download',
  'Webhooks',
  'Notifiers',
  'API keys',
  'Account',
  'Users',
  'Service',
] as const

/** Documents a route: the result is its `detail`. The service does not start if a route has none. */
export function operation(description: Operation): Operation {
  return description
}

/** The operation in the `detail` of a route, or null. */
export function operationOf(detail: unknown): Operation | null {
  return isOperation(detail) ? detail : null
}

function isOperation(detail: unknown): detail is Operation {
  return typeof detail === 'object' && detail !== null && 'tag' in detail && 'success' in detail
}

/** The JSON of a request that succeeds. */
export const successBody = <T extends z.core.$ZodShape>(shape: T) =>
  z.object({ success: z.literal(true), ...shape })

export const jobIdResponse = { description: 'Done.', json: successBody({ job_id: z.uuid() }) }
export const messageResponse = { description: 'Done.', json: successBody({ message: z.string() }) }
