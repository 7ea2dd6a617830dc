import { MESSAGE_TYPES } from '../vocabulary.ts'

/**
 * The requests that receivers of webhook messages get, by the type of the message (OpenAPI 3.1, section 4.8.1).
 * @param schema the JSON Schema of a message
 */
export function sentMessages(schema: object): Readonly<Record<string, object>> {
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
