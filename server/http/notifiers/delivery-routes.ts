import { Elysia } from 'elysia'
import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import type { Notifiers } from '../../notifiers/notifiers.ts'
import type { Clock } from '../../time/clock.ts'
import type { Authentication } from '../authenticate.ts'
import { skipBody } from '../body/json-body.ts'
import { openTokenBuckets } from '../clients/token-buckets.ts'
import { pageMetaToJson } from '../json.ts'
import { type Operation, operation, successBody } from '../operation.ts'
import { DEFAULT_PAGE_SIZE, pageMeta, pageQuery, uuidParams } from '../schemas.ts'
import { deliveryToJson } from './json.ts'
import { delivery, deliveryParams } from './schemas.ts'

export interface DeliveryRoutesOptions {
  readonly authentication: Authentication
  readonly notifiers: Notifiers
  readonly takeTest: TakeTest
}

/** How the routes of one resource are documented. */
export interface DeliveryRoutesNames {
  readonly tag: Operation['tag']
  readonly noun: 'webhook' | 'notifier'
  readonly test: string
  readonly list: string
  readonly redeliver: string
}

/** Counts a test of a user. @throws ServiceError `RATE_LIMITED` when there were too many in this minute */
export type TakeTest = (userId: string, headers: Record<string, string | number>) => void

/** Each test sends a message to a receiver of the user's choice. */
export function openTestLimit(clock: Clock): TakeTest {
  const tests = openTokenBuckets(TESTS_PER_MINUTE, clock)
  return (userId, headers) => {
    const { allowed, retryAfterSeconds } = tests.take(userId)
    if (allowed) return
    headers['retry-after'] = retryAfterSeconds
    throw new ServiceError(
      'RATE_LIMITED',
      `A user may test webhooks and other notifiers ${TESTS_PER_MINUTE} times per minute. Try again in ${retryAfterSeconds} s.`,
    )
  }
}

/** What was sent to a notifier, which may be a webhook; and sending it a test, or something again. */
export function deliveryRoutes(
  { authentication, notifiers, takeTest }: DeliveryRoutesOptions,
  { tag, noun, test, list, redeliver }: DeliveryRoutesNames,
) {
  return new Elysia()
    .use(authentication)
    .post(
      '/:id/test',
      ({ caller, params, set, status }) => {
        notifiers.get(caller.user.id, params.id)
        takeTest(caller.user.id, set.headers)
        const created = notifiers.test(caller.user, params.id)
        return status(201, { success: true, delivery: deliveryToJson(created) })
      },
      {
        params: uuidParams,
        parse: skipBody,
        detail: operation({
          tag,
          id: test,
          summary: `Test a ${noun}`,
          description:
            `Sends a message of type ping now, in one attempt. Makes a disabled ${noun} active. The deliveries show the ` +
            'result. At most ten times per minute and user.',
          success: { 201: { ...deliveryResponse, description: 'Created: the delivery is pending.' } },
          errors: ['PLAN_LIMIT_EXCEEDED', 'RATE_LIMITED'],
        }),
      },
    )
    .get(
      '/:id/deliveries',
      ({ caller, params, query: { limit = DEFAULT_PAGE_SIZE, cursor = null } }) => {
        const page = notifiers.listDeliveries(caller.user.id, params.id, { limit, cursor })
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
          tag,
          id: list,
          summary: `List the deliveries of a ${noun}`,
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
        const begun = notifiers.redeliver(caller.user.id, params.id, params.delivery_id)
        return { success: true, delivery: deliveryToJson(begun) }
      },
      {
        params: deliveryParams,
        parse: skipBody,
        detail: operation({
          tag,
          id: redeliver,
          summary: 'Send a delivery again',
          description: `Sends it at once, with the same id, and gives it all eight attempts again. Makes a disabled ${noun} active.`,
          success: { 200: deliveryResponse },
        }),
      },
    )
}

const TESTS_PER_MINUTE = 10

const deliveryResponse = {
  description: 'The pending delivery.',
  json: successBody({ delivery: delivery }),
}
