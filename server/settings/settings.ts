// server/decisions/settings.md says which changes need access to the machine, and why.

import { isDeepStrictEqual } from 'node:util'
import { changingPlans, type Plans } from '../accounts/plan.ts'
import type { Config, GivenBy } from '../config/config.ts'
import type { DataDir } from '../data/data-dir.ts'
import { type Issue, ServiceError } from '../errors.ts'
import type { Log } from '../logging/log.ts'
import type { Sealing } from '../sites/sealing.ts'
import type { Clock } from '../time/clock.ts'
import {
  CHANGEABLE,
  type ChangeableName,
  type ChangeableSetting,
  changedPlans,
  fieldOf,
  type OwnerTexts,
  parseOwnerTexts,
} from './changeable.ts'
import { type Confirmation, openConfirmation } from './confirmation.ts'
import {
  type LastChange,
  type OwnerSettings,
  readOwnerSettings,
  writeOwnerSettings,
} from './settings-file.ts'

/** Where the value of a setting comes from: what comes first wins. */
export type SettingSource = GivenBy | 'owner' | 'default'

/** What a request changes. Null unsets: then the default counts. A setting that is missing stays as it is. */
export type SettingChanges = Readonly<Partial<Record<ChangeableName, unknown>>>

export interface ChangeRequest {
  readonly changes: SettingChanges
  /** The code that proves access to the machine; null without one. */
  readonly code: string | null
  /** The version that the client has seen; null to change whatever is there. */
  readonly version: string | null
  readonly keyName: string
}

/** The settings of a running service. Requests, runs and messages read them at the time of their beginning. */
export interface Settings extends Disposable {
  readonly current: Config
  /** Those of the time at which they are used. */
  readonly plans: Plans
  /** Another one after each change and each start. */
  readonly version: string
  readonly lastChange: LastChange | null
  sourceOf(name: ChangeableName): SettingSource
  /**
   * Writes changes to the data directory, and then applies them: all of them, or none.
   * @throws ServiceError `PRECONDITION_FAILED` when others have changed settings meanwhile; `INVALID_REQUEST` for what can't be set,
   * or is set by a flag or the environment; `FORBIDDEN` without the code that a change needs
   */
  change(request: ChangeRequest): void
  /** Calls back after each change. */
  onChange(listener: (before: Config, after: Config) => void): void
}

export interface SettingsOptions {
  /** As the start gives it. */
  readonly config: Config
  readonly dir: Pick<DataDir, 'settings' | 'settingsCode'>
  readonly sealing: Sealing
  readonly clock: Clock
  readonly log: Log
}

/** @throws StartRefused when the file of the owner's settings can't be used */
export function openSettings(options: SettingsOptions): Settings {
  const { config, dir, sealing, clock, log } = options
  const listeners: ((before: Config, after: Config) => void)[] = []
  let owner = readOwnerSettings(dir.settings, () => sealing)
  const confirmation = openConfirmation(dir.settingsCode)
  let current = withOwnerSettings(config, owner)
  // Not a digest of them, from which a password could be guessed.
  let version: string = crypto.randomUUID()
  for (const { name, flag } of CHANGEABLE) {
    if (owner.texts[name] !== undefined && config.givenBy[name] !== undefined)
      log.info(`a setting of the interface is not used: ${givenWords(config.givenBy[name], flag)} wins`)
  }

  function textsAfter(changes: SettingChanges): OwnerTexts {
    const texts: Partial<Record<ChangeableName, unknown>> = { ...owner.texts }
    for (const { name } of CHANGEABLE) {
      const wanted = changes[name]
      if (wanted === null) delete texts[name]
      else if (wanted !== undefined)
        texts[name] = name === 'plans' ? changedPlans(texts.plans, wanted) : wanted
    }
    return texts
  }

  return {
    get current() {
      return current
    },
    plans: changingPlans(() => current.plans),
    get version() {
      return version
    },
    get lastChange() {
      return owner.lastChange
    },
    sourceOf(name) {
      return config.givenBy[name] ?? (owner.texts[name] === undefined ? 'default' : 'owner')
    },
    change({ changes, code, version: seen, keyName }) {
      if (seen !== null && seen !== version) throw changedMeanwhile(owner.lastChange)
      const named = CHANGEABLE.filter(({ name }) => changes[name] !== undefined)
      assertNotGiven(named, config)
      const texts = textsAfter(changes)
      const parsed = parseOwnerTexts(texts)
      if ('issues' in parsed) throw invalid(parsed.issues.map(toIssue))
      const next = withOwnerSettings(config, { values: parsed.values })
      const changed = named.filter(
        ({ name }) =>
          !isDeepStrictEqual(current[name], next[name]) || !isDeepStrictEqual(owner.texts[name], texts[name]),
      )
      if (changed.length === 0) return
      assertConfirmed(
        changed.filter((setting) => needsCode(setting, current, next)),
        code,
        confirmation,
      )
      const flags = changed.map(({ flag }) => flag)
      const lastChange = { at: clock(), keyName, flags }
      writeOwnerSettings(dir.settings, texts, lastChange, sealing)
      const before = current
      owner = { texts, values: parsed.values, lastChange }
      current = next
      version = crypto.randomUUID()
      log.warn('settings were changed', { settings: flags.join(' '), key: keyName })
      for (const listener of listeners) listener(before, current)
    },
    onChange(listener) {
      listeners.push(listener)
    },
    [Symbol.dispose]: () => confirmation[Symbol.dispose](),
  }
}

/** Flags and the environment win over what the owner has set, and that over the defaults. */
export function withOwnerSettings(config: Config, { values }: Pick<OwnerSettings, 'values'>): Config {
  const used = Object.entries(values).filter(
    ([name, value]) => value !== undefined && !Object.hasOwn(config.givenBy, name),
  )
  return Object.freeze({ ...config, ...Object.fromEntries(used) })
}

/** @throws ServiceError `INVALID_REQUEST` */
function assertNotGiven(named: readonly ChangeableSetting[], { givenBy }: Config): void {
  const issues = named.flatMap((setting) => {
    const by = givenBy[setting.name]
    if (by === undefined) return []
    const message = `is set by ${givenWords(by, setting.flag)}, so it cannot be changed here`
    return [{ path: fieldOf(setting), message }]
  })
  if (issues.length > 0) throw invalid(issues)
}

function givenWords(by: GivenBy | undefined, flag: string): string {
  return by === 'environment' ? `HOLDALL_${flag.toUpperCase().replaceAll('-', '_')}` : `--${flag}`
}

/** @throws ServiceError `FORBIDDEN` */
function assertConfirmed(
  opening: readonly ChangeableSetting[],
  code: string | null,
  confirmation: Confirmation,
): void {
  if (opening.length === 0 || (code !== null && confirmation.take(code))) return
  const names = opening.map(fieldOf).join(' and ')
  throw new ServiceError(
    'FORBIDDEN',
    code === null
      ? `A change of ${names} must be confirmed on the machine of the service. Run holdall settings code there, and send what it prints as code.`
      : 'This code is not valid, or was used before. Run holdall settings code on the machine of the service, and send what it prints as code.',
  )
}

/** Whether a change gives a key more than it should have without access to the machine. */
function needsCode({ name, change }: ChangeableSetting, before: Config, after: Config): boolean {
  if (change.needsCode !== 'to set') return change.needsCode === 'always'
  if (name !== 'allowNetworks') return after[name] !== null
  return after.allowNetworks.some((network) => !before.allowNetworks.includes(network))
}

function toIssue({ name, path, message }: { name: string; path: readonly string[]; message: string }): Issue {
  const setting = CHANGEABLE.find((each) => each.name === name)
  const field = setting === undefined ? name : fieldOf(setting)
  return { path: [field, ...path].join('.'), message: message.replace(/^expected /, 'must be ') }
}

function invalid(issues: readonly Issue[]): ServiceError {
  const [first, ...others] = issues
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return new ServiceError('INVALID_REQUEST', `${first?.path} ${first?.message}${more}.`, issues)
}

function changedMeanwhile(last: LastChange | null): ServiceError {
  const by = last === null ? '' : ` by ${last.keyName}`
  return new ServiceError(
    'PRECONDITION_FAILED',
    `The settings were changed meanwhile${by}. Load them again, then repeat your change.`,
  )
}
