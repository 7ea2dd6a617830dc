import { createSignal, For, Match, Show, Switch } from 'solid-js'
import { createStore } from 'solid-js/store'
import { ApiError } from '../api/request.ts'
import type { Schedule } from '../api/types.ts'
import { Field } from '../base/field.tsx'
import { formatWeekday } from '../base/format.ts'
import { inSentence, MessageError, wordsOfService } from '../base/message.ts'
import { serviceNow } from '../base/now.ts'
import { SaveDialog } from '../base/save-dialog.tsx'
import { repeatDialogCopy as copy } from '../language/english/repeat-dialog.ts'
import { PageFields, type PageSource, pageToJson } from './page-fields.tsx'
import { cronOf, draftAt, draftOf, type RecurrenceDraft, recurrenceText } from './recurrence.ts'
import { createDetails, type DetailedSchedule, detailsToJson, ScheduleDetails } from './schedule-details.tsx'

/** What the dialog decides. */
export interface RepeatSettings {
  readonly name: string
  readonly every: { readonly cron: string }
  readonly time_zone: string
  readonly keep: number
  readonly on_gone: Schedule['on_gone']
  /** In place of a list. */
  readonly page?: PageSource
}

/** What it decides of a schedule that it changes. */
export type ChangedSettings = RepeatSettings & Partial<ReturnType<typeof detailsToJson>>

export interface RepeatDialogProps {
  title: string
  name: string
  /** What is changed; undefined for a new one. */
  schedule?: DetailedSchedule & Pick<Schedule, 'cron' | 'time_zone' | 'keep' | 'on_gone' | 'page'>
  /** Whose links a new one packs; undefined for a list. */
  page?: PageSource | undefined
  /** Of the plan. */
  minScheduleSeconds: number
  onSave: (settings: ChangedSettings) => Promise<void>
  onClose: () => void
}

/** When a list is packed again, how many archives are kept, and what happens to files that are gone. */
export function RepeatDialog(props: RepeatDialogProps) {
  const now = new Date(serviceNow())
  const [draft, setDraft] = createStore<RecurrenceDraft>(
    props.schedule === undefined ? draftAt(now) : draftOf(props.schedule.cron, now),
  )
  const [name, setName] = createSignal(props.name)
  const [keep, setKeep] = createSignal(props.schedule?.keep ?? DEFAULT_KEEP)
  const [onGone, setOnGone] = createSignal<Schedule['on_gone']>(props.schedule?.on_gone ?? 'keep')
  const schedule = props.schedule
  const details = schedule === undefined ? null : createDetails(schedule)
  const [page, setPage] = createSignal<PageSource | null>(props.schedule?.page ?? props.page ?? null)
  const timeZone = props.schedule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

  async function save() {
    const chosen = page()
    try {
      await props.onSave({
        name: name().trim(),
        every: { cron: cronOf(draft) },
        time_zone: timeZone,
        keep: keep(),
        on_gone: onGone(),
        ...(chosen !== null && { page: pageToJson(chosen) }),
        ...(details !== null && detailsToJson(details[0])),
      })
    } catch (error) {
      throw withFieldName(error)
    }
  }

  return (
    <SaveDialog title={props.title} onSave={save} onClose={() => props.onClose()}>
      <Field label={copy.name}>
        {(id) => (
          <input
            id={id}
            type="text"
            autocomplete="off"
            required
            value={name()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Show when={page()}>
        {(shown) => <PageFields page={shown()} onChange={(change) => setPage({ ...shown(), ...change })} />}
      </Show>
      <Field label={copy.every}>
        {(id) => (
          <select id={id} onChange={(event) => setDraft('unit', unitOf(event.currentTarget.value))}>
            <For each={UNITS.filter((unit) => unit !== 'hour' || props.minScheduleSeconds <= HOUR_SECONDS)}>
              {(unit) => (
                <option value={unit} selected={unit === draft.unit}>
                  {copy.units[unit]}
                </option>
              )}
            </For>
          </select>
        )}
      </Field>
      <Switch>
        <Match when={draft.unit === 'week'}>
          <Field label={copy.onWeekday}>
            {(id) => (
              <select id={id} onChange={(event) => setDraft('weekday', Number(event.currentTarget.value))}>
                <For each={WEEK}>
                  {(weekday) => (
                    <option value={weekday} selected={weekday === draft.weekday}>
                      {formatWeekday(weekday)}
                    </option>
                  )}
                </For>
              </select>
            )}
          </Field>
        </Match>
        <Match when={draft.unit === 'month'}>
          <Field label={copy.onDay}>
            {(id) => (
              <select
                id={id}
                onChange={({ currentTarget: { value } }) =>
                  setDraft('day', value === 'last' ? 'last' : Number(value))
                }
              >
                <For each={DAYS}>
                  {(day) => (
                    <option value={day} selected={day === draft.day}>
                      {day === 'last' ? copy.lastDay : day}
                    </option>
                  )}
                </For>
              </select>
            )}
          </Field>
        </Match>
        <Match when={draft.unit === 'cron'}>
          <Field label={copy.cron}>
            {(id) => (
              <input
                id={id}
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                required
                placeholder="0 6 * * 1-5"
                value={draft.cron}
                onInput={(event) => setDraft('cron', event.currentTarget.value)}
              />
            )}
          </Field>
        </Match>
      </Switch>
      <Show when={draft.unit !== 'cron'}>
        <Field label={draft.unit === 'hour' ? copy.atMinute : copy.at}>
          {(id) => (
            <input
              id={id}
              type="time"
              required
              value={draft.time}
              onInput={(event) => setDraft('time', event.currentTarget.value)}
            />
          )}
        </Field>
      </Show>
      <p>
        {recurrenceText(cronOf(draft))} ({timeZone})
      </p>
      <Field label={copy.keep}>
        {(id) => (
          <input
            id={id}
            type="number"
            min={1}
            max={100}
            required
            value={keep()}
            onInput={(event) => setKeep(Number(event.currentTarget.value))}
          />
        )}
      </Field>
      <Field label={copy.onGone}>
        {(id) => (
          <select id={id} onChange={(event) => setOnGone(GONE[event.currentTarget.selectedIndex] ?? GONE[0])}>
            <For each={GONE}>{(gone) => <option selected={gone === onGone()}>{copy.gone[gone]}</option>}</For>
          </select>
        )}
      </Field>
      <Show when={schedule}>
        {(shown) => (
          <Show when={details}>
            {(form) => (
              <ScheduleDetails
                schedule={shown()}
                draft={form()[0]}
                onChange={(change) => form()[1](change)}
              />
            )}
          </Show>
        )}
      </Show>
    </SaveDialog>
  )
}

function unitOf(value: string): RecurrenceDraft['unit'] {
  return UNITS.find((unit) => unit === value) ?? 'cron'
}

/** The service says "every.cron cannot be read", and the dialog "The cron expression cannot be read". */
function withFieldName(error: unknown): unknown {
  const [issue] = error instanceof ApiError ? error.issues : []
  if (issue === undefined) return error
  const field = FIELDS.find(({ path }) => issue.path.startsWith(path))
  return field === undefined
    ? error
    : new MessageError(inSentence(wordsOfService(issue.message), field.wrong))
}

const FIELDS = [
  { path: 'every', wrong: copy.wrong.every },
  { path: 'name', wrong: copy.wrong.name },
  { path: 'page.url', wrong: copy.wrong.page },
  { path: 'page.match', wrong: copy.wrong.match },
  { path: 'headers', wrong: copy.wrong.headers },
] as const

const UNITS = ['hour', 'day', 'week', 'month', 'cron'] as const satisfies readonly RecurrenceDraft['unit'][]
const GONE = ['keep', 'leave_out', 'fail'] as const satisfies readonly Schedule['on_gone'][]

/** From Monday on. */
const WEEK = [1, 2, 3, 4, 5, 6, 0] as const
const DAYS: readonly (number | 'last')[] = [...Array.from({ length: 28 }, (_, index) => index + 1), 'last']
const DEFAULT_KEEP = 4
const HOUR_SECONDS = 3_600
