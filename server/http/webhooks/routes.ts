import { Elysia } from 'elysia'
import { z } from 'zod'
import type { Notifiers } from '../../notifiers/notifiers.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, skipBody } from '../body/json-body.ts'
import { pageMetaToJson } from '../json.ts'
import { deliveryRoutes, type TakeTest } from '../notifiers/delivery-routes.ts'
import { messageResponse, operation, successBody } from '../operation.ts'
import { longPageQuery, pageMeta, uuidParams } from '../schemas.ts'
import { webhookToJson, webhookWithSecretToJson } from './json.ts'
import { createWebhookBody, webhook, webhookWithSecret } from './schemas.ts'

export interface WebhookRoutesOptions {
  readonly authentication: Authentication
  /** The operations on webhooks, and on no other notifiers. */
  readonly webhooks: Notifiers
  readonly jsonBody: JsonBody
  readonly takeTest: TakeTest
  /** The origin by which the client of the request has reached the service. */
  originOf(request: Request): string
}

/** `/webhooks`: notifications of the ends of jobs, by the Standard Webhooks specification. */
export function webhookRoutes(options: WebhookRoutesOptions) {
  const { authentication, webhooks, jsonBody, takeTest, originOf } = options
  return new Elysia({ prefix: '/webhooks' })
    .use(authentication)
    .get(
      '',
      ({ caller, query: { limit = REQUEST_LIMITS.pageSize, cursor = null } }) => {
        const page = webhooks.list(caller.user.id, { limit, cursor })
        return {
          success: true,
          webhooks: page.notifiers.map(webhookToJson),
          meta: pageMetaToJson(limit, page.total, page.nextCursor),
        }
      },
      {
        query: longPageQuery,
        detail: operation({
          tag: 'Webhooks',
          id: 'listWebhooks',
          summary: 'List webhooks',
          description: 'Newest first.',
          success: {
            200: {
              description: 'A page.',
              json: successBody({ webhooks: z.array(webhook), meta: pageMeta }),
            },
          },
        }),
      },
    )
    .post(
      '',
      ({ caller, body, request, status }) => {
        const { url, events = null } = body
        const created = webhooks.create(caller.user.id, {
          kind: 'webhook',
          target: url,
          token: null,
          events,
          origin: originOf(request),
        })
        return status(201, { success: true, webhook: webhookWithSecretToJson(created) })
      },
      {
        parse: jsonBody(MAX_BODY_BYTES),
        body: createWebhookBody,
        detail: operation({
          tag: 'Webhooks',
          id: 'createWebhook',
          summary: 'Create a webhook',
          description:
            'From now on, each end of a job is posted to the URL, by the Standard Webhooks specification (see ' +
            'WebhookMessage). A 2xx response within 10 seconds ends a delivery. After any other result, seven more ' +
            'attempts follow, within 32 hours.',
          success: { 201: secretResponse },
          errors: ['PLAN_LIMIT_EXCEEDED'],
        }),
      },
    )
    .get(
      '/:id',
      ({ caller, params }) => ({
        success: true,
        webhook: webhookToJson(webhooks.get(caller.user.id, params.id)),
      }),
      {
        params: uuidParams,
        detail: operation({
          tag: 'Webhooks',
          id: 'getWebhook',
          summary: 'Get a webhook',
          success: { 200: { description: 'The webhook.', json: successBody({ webhook: webhook }) } },
        }),
      },
    )
    .delete(
      '/:id',
      async ({ caller, params }) => {
        await webhooks.remove(caller.user.id, params.id)
        return { success: true, message: 'Webhook deleted' }
      },
      {
        params: uuidParams,
        parse: skipBody,
        detail: operation({
          tag: 'Webhooks',
          id: 'deleteWebhook',
          summary: 'Delete a webhook and its deliveries',
          success: { 200: messageResponse },
        }),
      },
    )
    .post(
      '/:id/rotate',
      ({ caller, params }) => ({
        success: true,
        webhook: webhookWithSecretToJson(webhooks.rotate(caller.user.id, params.id)),
      }),
      {
        params: uuidParams,
        parse: skipBody,
        detail: operation({
          tag: 'Webhooks',
          id: 'rotateWebhookSecret',
          summary: 'Give a webhook a new secret',
          description: 'For 24 hours, messages are signed with the old secret, too.',
          success: { 200: secretResponse },
        }),
      },
    )
    .use(
      deliveryRoutes(
        { authentication, notifiers: webhooks, takeTest },
        {
          tag: 'Webhooks',
          noun: 'webhook',
          test: 'testWebhook',
          list: 'listWebhookDeliveries',
          redeliver: 'redeliver',
        },
      ),
    )
}

const secretResponse = {
  description: 'The webhook with its secret, shown only once.',
  json: successBody({ webhook: webhookWithSecret }),
}
