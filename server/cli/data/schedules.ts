import { openUsageMeter } from '../../accounts/usage.ts'
import { openUsageStore } from '../../accounts/usage-store.ts'
import type { User } from '../../accounts/user.ts'
import { openWriteQueue } from '../../db/write-queue.ts'
import { toNewSchedule } from '../../http/schedules/json.ts'
import { createScheduleBody } from '../../http/schedules/schemas.ts'
import { openLog } from '../../logging/log.ts'
import { openEventStore } from '../../notifiers/event-store.ts'
import { openRunStore } from '../../schedules/run-store.ts'
import type { ScheduleState } from '../../schedules/schedule.ts'
import { openScheduleStore } from '../../schedules/schedule-store.ts'
import { openSchedules } from '../../schedules/schedules.ts'
import { openJobLoginStore } from '../../sites/job-login-store.ts'
import { openLogins } from '../../sites/logins.ts'
import { openSealing } from '../../sites/sealing.ts'
import { openSiteStore } from '../../sites/site-store.ts'
import { printable } from '../../text/printable.ts'
import { systemClock } from '../../time/clock.ts'
import { type Arguments, readArguments } from '../arguments.ts'
import { type Command, type CommandContext, CommandError, UsageError } from '../command.ts'
import { readTextFile } from '../sources/text-file.ts'
import { assertFetchable, readUrlList } from '../sources/url-list.ts'
import { type Accounts, openAccounts } from './accounts.ts'

// Schedules of a data directory, while its service runs or not. Their runs begin in the service alone.

/** `holdall schedule add NAME URL... --every day`: prints the id of the new schedule, and when its first run is due. */
export const scheduleAdd: Command = async (args, context) => {
  const given = readArguments(args, context.env, {
    own: [
      'input',
      'page',
      'kind',
      'match',
      'every',
      'cron',
      'time-zone',
      'keep',
      'reuse',
      'on-gone',
      'zip-filename',
      'user',
    ],
    short: { i: 'input' },
    positionals: 'any',
  })
  const wanted = toNewSchedule(parseBody(bodyOf(given)))
  using accounts = openAccounts(given.config, context.files)
  const { id, nextRunAt } = openParts(accounts).schedules.create(accounts.user(given.own.user), wanted)
  context.print([id, timeOrDash(nextRunAt)].join('\t'))
}

/**
 * `holdall schedule list [--user NAME]`: one line per schedule: id, name, status, cron expression, time zone, next run, and the
 * status and the beginning of the last run, separated by tabs.
 */
export const scheduleList: Command = async (args, context) => {
  const { own, config } = readArguments(args, context.env, { own: ['user'] })
  using accounts = openAccounts(config, context.files)
  for (const schedule of allOf(accounts, accounts.user(own.user))) {
    const { id, name, status, cron, timeZone, nextRunAt, lastRun } = schedule
    const last = lastRun === null ? ['-', '-'] : [lastRun.status, timeOrDash(lastRun.createdAt)]
    const fields = [
      id,
      printable(name, SHOWN_CHARACTERS),
      status,
      cron,
      timeZone,
      timeOrDash(nextRunAt),
      ...last,
    ]
    context.print(fields.join('\t'))
  }
}

/** `holdall schedule run NAME|ID`: the service begins a run within seconds, or at its next start. */
export const scheduleRun: Command = async (args, context) =>
  onSchedule(args, context, ({ store }, _, { id }) => store.setNextRun(id, systemClock()))

/** `holdall schedule pause NAME|ID`: no run begins by itself. One that is under way goes on. */
export const schedulePause: Command = async (args, context) =>
  onSchedule(args, context, ({ schedules }, user, { id }) => schedules.change(user, id, { status: 'paused' }))

/** `holdall schedule resume NAME|ID`: forgets the failures before. */
export const scheduleResume: Command = async (args, context) =>
  onSchedule(args, context, ({ schedules }, user, { id }) => schedules.change(user, id, { status: 'active' }))

/** `holdall schedule remove NAME|ID`: its archives stay as long as the plan keeps any. */
export const scheduleRemove: Command = async (args, context) =>
  onSchedule(args, context, ({ schedules }, user, { id }) => schedules.remove(user, id))

/** Does something with the schedule of a user that the arguments name. */
function onSchedule(
  args: readonly string[],
  context: CommandContext,
  work: (parts: Parts, user: User, schedule: ScheduleState) => void,
): void {
  const { positionals, own, config } = readArguments(args, context.env, {
    own: ['user'],
    positionals: ['NAME|ID'],
  })
  const [wanted = ''] = positionals
  using accounts = openAccounts(config, context.files)
  const user = accounts.user(own.user)
  const found = allOf(accounts, user).filter(({ id, name }) => id === wanted || name === wanted)
  const [schedule] = found
  if (schedule === undefined)
    throw new CommandError(
      `${user.name} has no such schedule. See holdall schedule list --user ${user.name}.`,
    )
  if (found.length > 1)
    throw new CommandError(`${user.name} has ${found.length} schedules of this name. Give the id instead.`)
  work(openParts(accounts), user, schedule)
}

function allOf(accounts: Accounts, user: User): readonly ScheduleState[] {
  return openParts(accounts).schedules.list(user, {
    cursor: null,
    limit: Number.MAX_SAFE_INTEGER - 1,
  }).schedules
}

type Parts = ReturnType<typeof openParts>

function openParts({ db, dir, settings }: Accounts) {
  const { plans } = settings
  const clock = systemClock
  const sealing = openSealing(dir.sealingKey)
  const logins = openLogins({
    writes: openWriteQueue(),
    sites: openSiteStore(db),
    jobLogins: openJobLoginStore(db),
    sealing,
    clock,
    log: openLog(settings),
  })
  const store = openScheduleStore(db)
  const runStore = openRunStore(db, openEventStore(db))
  const usage = openUsageMeter(openUsageStore(db), plans, clock)
  return {
    store,
    schedules: openSchedules({ store, runStore, logins, usage, plans, clock, jobChanged() {} }),
  }
}

/** The body of the request that would add the same schedule. */
function bodyOf({ positionals: [name, ...urls], own }: Arguments) {
  if (name === undefined) throw new UsageError('Expected NAME, and then URLs, -i LIST or --page URL.')
  if ((own.every === undefined) === (own.cron === undefined))
    throw new UsageError('Expected --every hour, day, week or month, or --cron with five fields.')
  if ([urls.length > 0, own.input !== undefined, own.page !== undefined].filter(Boolean).length !== 1)
    throw new UsageError('Expected URLs, -i LIST or --page URL, and only one of them.')
  if (own.page === undefined && (own.kind ?? own.match) !== undefined)
    throw new UsageError('--kind, --match: expected with --page')
  const list =
    own.page === undefined
      ? listOf(urls, own.input)
      : { page: { url: own.page, kind: own.kind ?? null, match: own.match ?? null } }
  return {
    name,
    ...list,
    every: own.every ?? { cron: own.cron },
    time_zone: own['time-zone'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    keep: own.keep === undefined ? null : Number(own.keep),
    reuse: own.reuse ?? null,
    on_gone: own['on-gone'] ?? null,
    zip_filename: own['zip-filename'] ?? null,
  }
}

function listOf(urls: readonly string[], list: string | undefined) {
  if (list === undefined) {
    for (const [index, url] of urls.entries()) assertFetchable(url, index + 1)
    return { urls }
  }
  const { sources, unfetchable } = readUrlList(readTextFile('-i', list))
  const [problem] = unfetchable
  if (problem !== undefined) throw new UsageError(`-i: ${problem}`)
  return { files: sources }
}

/** @throws UsageError that names the flag */
function parseBody(body: unknown) {
  const { data, error } = createScheduleBody.safeParse(body)
  if (data !== undefined) return data
  const [issue] = error.issues
  const path = issue?.path.join('.') ?? ''
  throw new UsageError(`${FLAGS[path] ?? `--${path.replaceAll('_', '-')}`}: ${issue?.message}`)
}

/** The fields of a request that have another name here. */
const FLAGS: Readonly<Record<string, string>> = {
  name: 'NAME',
  urls: 'URL',
  files: '-i',
  'every.cron': '--cron',
  'page.url': '--page',
  'page.kind': '--kind',
  'page.match': '--match',
}

function timeOrDash(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString()
}

const SHOWN_CHARACTERS = 100
