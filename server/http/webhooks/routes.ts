import { Elysia } from 'elysia'
import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import type { Clock } from '../../time/clock.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, skipBody } from '../body/json-body.ts'
import { openTokenBuckets } from '../clients/token-buckets.ts'
import { pageMetaToJson } from '../json.ts'
import { messageResponse, operation, successBody } from '../operation.ts'
import { DEFAULT_PAGE_SIZE, longPageQuery, pageMeta, pageQuery, uuidParams } from '../schemas.ts'
import { deliveryToJson, webhookToJson, webhookWithSecretToJson } from './json.ts'
import { createWebhookBody, delivery, deliveryParams, webhook, webhookWithSecret } from './schemas.ts'

export interface WebhookRoutesOptions {
  readonly authentication: Authentication
  readonly webhooks: Webhooks
  readonly jsonBody: JsonBody
  readonly clock: Clock
  /** The origin by which the client of the request has reached the service. */
  originOf(request: Request): string
}

/** `/webhooks`: notifications of the ends of jobs, by the Standard Webhooks specification. */
export function webhookRoutes(options: WebhookRoutesOptions) {
  const { authentication, webhooks, jsonBody, clock, originOf } = options
  const tests = openTokenBuckets(TESTS_PER_MINUTE, clock)

  /** Each test sends a message to a receiver of the user's choice. */
  function takeTest(userId: string, headers: Record<string, string | number>): void {
    const { allowed, retryAfterSeconds } = tests.take(userId)
    if (allowed) return
    headers['retry-after'] = retryAfterSeconds
    throw new ServiceError(
      'RATE_LIMITED',
      `A user may test webhooks ${TESTS_PER_MINUTE} times per minute. Try again in ${retryAfterSeconds} s.`,
    )
  }

  return new Elysia({ prefix: '/webhooks' })
    .use(authentication)
    .get(
      '',
      ({ caller, query: { limit = REQUEST_LIMITS.pageSize, cursor = null } }) => {
        const page = webhooks.list(caller.user.id, { limit, cursor })
        return {
          success: true,
          webhooks: page.webhooks.map(webhookToJson),
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
        const created = webhooks.create(caller.user.id, { url, events, origin: originOf(request) })
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
    .post(
      '/:id/test',
      ({ caller, params, set, status }) => {
        webhooks.get(caller.user.id, params.id)
        takeTest(caller.user.id, set.headers)
        const created = webhooks.test(caller.user, params.id)
        return status(201, { success: true, delivery: deliveryToJson(created) })
      },
      {
        params: uuidParams,
        parse: skipBody,
        detail: operation({
          tag: 'Webhooks',
          id: 'testWebhook',
          summary: 'Test a webhook',
          description:
            'Sends a message of type ping now, in one attempt. Makes a disabled webhook active. The deliveries show the ' +
            'result. At most ten times per minute and user.',
          success: { 201: { ...deliveryResponse, description: 'Created: the delivery is pending.' } },
          errors: ['PLAN_LIMIT_EXCEEDED', 'RATE_LIMITED'],
        }),
      },
    )
    .get(
      '/:id/deliveries',
      ({ caller, params, query: { limit = DEFAULT_PAGE_SIZE, cursor = null } }) => {
        const page = webhooks.listDeliveries(caller.user.id, params.id, { limit, cursor })
        return {
          success: true,
          deliveries: page.deliveries.map(deliveryToJson),
          meta: pageMetaToJson(limit, page.total, page.nextCursor),
        }
      },
      {
        params: uuidParams,
        query: pageQuery,
        detail: operation({
          tag: 'Webhooks',
          id: 'listWebhookDeliveries',
          summary: 'List the deliveries of a webhook',
          description:
            'Newest first, of the last 30 days. For the next page pass meta.next_cursor as cursor.',
          success: {
            200: {
              description: 'A page.',
              json: successBody({ deliveries: z.array(delivery), meta: pageMeta }),
            },
          },
        }),
      },
    )
    .post(
      '/:id/deliveries/:delivery_id/redeliver',
      ({ caller, params }) => {
        const begun = webhooks.redeliver(caller.user.id, params.id, params.delivery_id)
        return { success: true, delivery: deliveryToJson(begun) }
      },
      {
        params: deliveryParams,
        parse: skipBody,
        detail: operation({
          tag: 'Webhooks',
          id: 'redeliver',
          summary: 'Send a delivery again',
          description:
            'Sends it at once, with the same webhook-id, and gives it all eight attempts again. Makes a disabled webhook active.',
          success: { 200: deliveryResponse },
        }),
      },
    )
}

const TESTS_PER_MINUTE = 10

const secretResponse = {
  description: 'The webhook with its secret, shown only once.',
  json: successBody({ webhook: webhookWithSecret }),
}

const deliveryResponse = {
  description: 'The pending delivery.',
  json: successBody({ delivery: delivery }),
}
