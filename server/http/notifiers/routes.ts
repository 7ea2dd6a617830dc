import { Elysia } from 'elysia'
import { z } from 'zod'
import type { Notifiers } from '../../notifiers/notifiers.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import type { NotifierKind } from '../../vocabulary.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, skipBody } from '../body/json-body.ts'
import { pageMetaToJson } from '../json.ts'
import { messageResponse, operation, successBody } from '../operation.ts'
import { longPageQuery, pageMeta, uuidParams } from '../schemas.ts'
import { deliveryRoutes, type TakeTest } from './delivery-routes.ts'
import { newNotifierToJson, notifierToJson, toNewNotifier, toNotifierChanges } from './json.ts'
import { changeNotifierBody, createNotifierBody, newNotifier, notifier, notifierKinds } from './schemas.ts'

export interface NotifierRoutesOptions {
  readonly authentication: Authentication
  readonly notifiers: Notifiers
  /** What this service can send. */
  kinds(): readonly NotifierKind[]
  readonly jsonBody: JsonBody
  readonly takeTest: TakeTest
  /** The origin by which the client of the request has reached the service. */
  originOf(request: Request): string
}

/** `/notifiers`: tell a person, or a program, where they are: by e-mail, ntfy or webhook. */
export function notifierRoutes(options: NotifierRoutesOptions) {
  const { authentication, notifiers, kinds, jsonBody, takeTest, originOf } = options
  return new Elysia({ prefix: '/notifiers' })
    .use(authentication)
    .get(
      '',
      ({ caller, query: { limit = REQUEST_LIMITS.pageSize, cursor = null } }) => {
        const page = notifiers.list(caller.user.id, { limit, cursor })
        return {
          success: true,
          notifiers: page.notifiers.map(notifierToJson),
          kinds: kinds(),
          meta: pageMetaToJson(limit, page.total, page.nextCursor),
        }
      },
      {
        query: longPageQuery,
        detail: operation({
          tag: 'Notifiers',
          id: 'listNotifiers',
          summary: 'List notifiers',
          description: 'Newest first, webhooks among them.',
          success: {
            200: {
              description: 'A page.',
              json: successBody({ notifiers: z.array(notifier), kinds: notifierKinds, meta: pageMeta }),
            },
          },
        }),
      },
    )
    .post(
      '',
      ({ caller, body, request, status }) => {
        const created = notifiers.create(caller.user.id, toNewNotifier(body, originOf(request)))
        return status(201, { success: true, notifier: newNotifierToJson(created) })
      },
      {
        parse: jsonBody(MAX_BODY_BYTES),
        body: createNotifierBody,
        detail: operation({
          tag: 'Notifiers',
          id: 'createNotifier',
          summary: 'Create a notifier',
          description:
            'From now on, ends of jobs are told by e-mail, to an ntfy topic, or to a webhook, which then is one of /webhooks, ' +
            'too. Failed attempts are repeated as for webhooks. At most 20 per user in all.',
          success: {
            201: {
              description: 'Created. A webhook has its secret, shown only now.',
              json: successBody({ notifier: newNotifier }),
            },
          },
          errors: ['PLAN_LIMIT_EXCEEDED'],
        }),
      },
    )
    .get(
      '/:id',
      ({ caller, params }) => ({
        success: true,
        notifier: notifierToJson(notifiers.get(caller.user.id, params.id)),
      }),
      {
        params: uuidParams,
        detail: operation({
          tag: 'Notifiers',
          id: 'getNotifier',
          summary: 'Get a notifier',
          success: { 200: notifierResponse },
        }),
      },
    )
    .patch(
      '/:id',
      ({ caller, params, body }) => {
        const { kind } = notifiers.get(caller.user.id, params.id)
        const changed = notifiers.change(caller.user.id, params.id, toNotifierChanges(kind, body))
        return { success: true, notifier: notifierToJson(changed) }
      },
      {
        params: uuidParams,
        parse: jsonBody(MAX_BODY_BYTES),
        body: changeNotifierBody,
        detail: operation({
          tag: 'Notifiers',
          id: 'changeNotifier',
          summary: 'Change a notifier',
          description:
            'What is missing stays as it is. With another url, the token of an ntfy server must be given anew, or null. A ' +
            'disabled notifier becomes active.',
          success: { 200: notifierResponse },
        }),
      },
    )
    .delete(
      '/:id',
      async ({ caller, params }) => {
        await notifiers.remove(caller.user.id, params.id)
        return { success: true, message: 'Notifier deleted' }
      },
      {
        params: uuidParams,
        parse: skipBody,
        detail: operation({
          tag: 'Notifiers',
          id: 'deleteNotifier',
          summary: 'Delete a notifier and its deliveries',
          success: { 200: messageResponse },
        }),
      },
    )
    .use(
      deliveryRoutes(
        { authentication, notifiers, takeTest },
        {
          tag: 'Notifiers',
          noun: 'notifier',
          test: 'testNotifier',
          list: 'listNotifierDeliveries',
          redeliver: 'redeliverToNotifier',
        },
      ),
    )
}

const notifierResponse = { description: 'The notifier.', json: successBody({ notifier }) }
