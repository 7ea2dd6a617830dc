import { Elysia } from 'elysia'
import { z } from 'zod'
import type { User } from '../../accounts/user.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import type { Runs } from '../../schedules/runs.ts'
import type { ScheduleState } from '../../schedules/schedule.ts'
import type { Schedules } from '../../schedules/schedules.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, MAX_JOB_BODY_BYTES, skipBody } from '../body/json-body.ts'
import type { ResponseMemory } from '../body/response-memory.ts'
import { enclose, jsonResponse } from '../body/text-stream.ts'
import type { Turns } from '../body/turns.ts'
import { type HintsJson, hints } from '../jobs/schemas.ts'
import { pageMetaToJson } from '../json.ts'
import { jobIdResponse, messageResponse, operation, successBody } from '../operation.ts'
import { DEFAULT_PAGE_SIZE, longPageQuery, pageMeta, pageQuery, uuidParams } from '../schemas.ts'
import { runToJson, scheduleJson, scheduleToListItem, toNewSchedule, toScheduleChanges } from './json.ts'
import { changeScheduleBody, createScheduleBody, listedSchedule, schedule, scheduleRun } from './schemas.ts'

export interface ScheduleRoutesOptions {
  readonly authentication: Authentication
  readonly schedules: Schedules
  readonly runs: Pick<Runs, 'beginNow'>
  readonly jsonBody: JsonBody
  readonly memory: ResponseMemory
  readonly turns: Turns
  /** The link to the newest archive of a schedule that the client of the request can reach. */
  latestUrlOf(scheduleId: string, request: Request): string
}

/** `/schedules`: lists that are packed again and again. */
export function scheduleRoutes(options: ScheduleRoutesOptions) {
  const { authentication, schedules, runs, jsonBody, memory, turns, latestUrlOf } = options
  return new Elysia({ prefix: '/schedules' })
    .use(authentication)
    .onBeforeHandle(({ caller }) => turns.next(caller.user.id))
    .post(
      '',
      ({ caller, body, request }) => {
        const created = schedules.create(caller.user, toNewSchedule(body))
        return respond(caller.user, created, request, 201, body.hints)
      },
      {
        parse: jsonBody(MAX_JOB_BODY_BYTES),
        body: createScheduleBody,
        detail: operation({
          tag: 'Schedules',
          id: 'createSchedule',
          summary: 'Pack a list again and again',
          description:
            'Each run is a job like any other, within the plan and the quota. Runs of a schedule never overlap. If the computer was asleep ' +
            'when runs were due, one run starts when it wakes. The first one is at next_run_at; run begins one now.',
          success: {
            201: {
              description: 'Created: the schedule is active.',
              json: successBody({ schedule, hints }),
            },
          },
          errors: ['PLAN_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
        }),
      },
    )
    .get(
      '',
      ({ caller, query: { limit = REQUEST_LIMITS.pageSize, cursor = null }, request }) => {
        const page = schedules.list(caller.user, { limit, cursor })
        return {
          success: true,
          schedules: page.schedules.map((each) => scheduleToListItem(each, latestUrlOf(each.id, request))),
          meta: pageMetaToJson(limit, page.total, page.nextCursor),
        }
      },
      {
        query: longPageQuery,
        detail: operation({
          tag: 'Schedules',
          id: 'listSchedules',
          summary: 'List schedules',
          description: 'Newest first. For the next page pass meta.next_cursor as cursor.',
          success: {
            200: {
              description: 'A page.',
              json: successBody({ schedules: z.array(listedSchedule), meta: pageMeta }),
            },
          },
        }),
      },
    )
    .get(
      '/:id',
      ({ caller, params, request }) => respond(caller.user, schedules.get(caller.user, params.id), request),
      {
        params: uuidParams,
        detail: operation({
          tag: 'Schedules',
          id: 'getSchedule',
          summary: 'Get a schedule with its list',
          success: { 200: scheduleResponse },
        }),
      },
    )
    .patch(
      '/:id',
      ({ caller, params, body, request }) => {
        const changed = schedules.change(caller.user, params.id, toScheduleChanges(body))
        return respond(caller.user, changed, request)
      },
      {
        params: uuidParams,
        parse: jsonBody(MAX_JOB_BODY_BYTES),
        body: changeScheduleBody,
        detail: operation({
          tag: 'Schedules',
          id: 'changeSchedule',
          summary: 'Change, pause or resume a schedule',
          description:
            'What is left out stays. A run that is under way keeps what it began with. A list replaces the old one.',
          success: { 200: scheduleResponse },
          errors: ['PLAN_LIMIT_EXCEEDED'],
        }),
      },
    )
    .delete(
      '/:id',
      ({ caller, params }) => {
        schedules.remove(caller.user, params.id)
        return { success: true, message: 'Schedule deleted' }
      },
      {
        params: uuidParams,
        parse: skipBody,
        detail: operation({
          tag: 'Schedules',
          id: 'deleteSchedule',
          summary: 'Delete a schedule',
          description:
            'A run that is under way goes on. The archives stay as long as the plan keeps any, and latest_url ends.',
          success: { 200: messageResponse },
        }),
      },
    )
    .post(
      '/:id/run',
      async ({ caller, params, request }) => ({
        success: true,
        job_id: await runs.beginNow(caller.user, params.id, request.signal),
      }),
      {
        params: uuidParams,
        parse: jsonBody(MAX_BODY_BYTES),
        detail: operation({
          tag: 'Schedules',
          id: 'runSchedule',
          summary: 'Run a schedule now',
          description:
            'Also a paused one. INVALID_REQUEST while a run is under way. Does not change when the next one is due.',
          success: { 200: jobIdResponse },
          errors: [
            'PLAN_LIMIT_EXCEEDED',
            'QUOTA_EXCEEDED',
            'PAGE_NOT_FETCHED',
            'UNAVAILABLE',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
          ],
        }),
      },
    )
    .get(
      '/:id/runs',
      ({ caller, params, query: { limit = DEFAULT_PAGE_SIZE, cursor = null } }) => {
        const page = schedules.listRuns(caller.user, params.id, { limit, cursor })
        return {
          success: true,
          runs: page.runs.map(runToJson),
          meta: pageMetaToJson(limit, page.total, page.nextCursor),
        }
      },
      {
        params: uuidParams,
        query: pageQuery,
        detail: operation({
          tag: 'Schedules',
          id: 'listRuns',
          summary: 'List the runs of a schedule',
          description:
            'Newest first, 400 at most. Only the newest keep completed runs still have an archive.',
          success: {
            200: {
              description: 'A page.',
              json: successBody({ runs: z.array(scheduleRun), meta: pageMeta }),
            },
          },
        }),
      },
    )

  /** Long JSON is generated while the user reads it, in turns. */
  function respond(
    user: User,
    state: ScheduleState,
    request: Request,
    status = 200,
    ignored: NonNullable<HintsJson> = [],
  ): Response {
    const json = scheduleJson(state, latestUrlOf(state.id, request), schedules.sourcesOf(state))
    const end = ignored.length === 0 ? '}' : `,"hints":${JSON.stringify(ignored)}}`
    const body = enclose('{"success":true,"schedule":', json, end)
    return jsonResponse(body, memory, () => turns.next(user.id), status)
  }
}

const scheduleResponse = { description: 'The schedule.', json: successBody({ schedule }) }
