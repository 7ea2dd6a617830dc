import { PLAN_LABELS } from '../api/plan-labels.ts'
import type { OwnerSettings, Plan, SettingChanges } from '../api/types.ts'
import { settingsCopy as copy } from '../language/english/settings.ts'

export type SettingName = Exclude<keyof OwnerSettings, 'last_change'>

/** Settings that are edited together. */
export interface Subject {
  /** Of its heading. */
  readonly id: string
  readonly title: string
  readonly lead: string
  readonly fields: readonly SubjectField[]
  /** The texts of the fields. A password is never known. */
  read(settings: OwnerSettings): SettingsDraft
  /** What another draft changes. */
  changes(draft: SettingsDraft, before: SettingsDraft): SettingChanges
}

export interface SubjectField {
  readonly name: string
  readonly setting: SettingName
  /** The path in the issues of a refused request; by default the name of the setting. */
  readonly path?: string
  readonly label: string
  readonly help?: string
  readonly type: 'text' | 'number' | 'password'
  readonly min?: number
  readonly max?: number
}

export type SettingsDraft = Readonly<Record<string, string>>

/** Whether the service wants a code of its machine for these changes. */
export function needsCode(settings: OwnerSettings, changes: SettingChanges): boolean {
  const isNew = changes.allow_network?.some((network) => !settings.allow_network.value.includes(network))
  const wanted = [
    changes.base_url != null && settings.base_url,
    isNew === true && settings.allow_network,
    changes.proxy !== undefined && settings.proxy,
    changes.no_proxy !== undefined && settings.no_proxy,
    changes.smtp != null && settings.smtp,
  ]
  return wanted.some((setting) => setting && setting.needs_code !== 'never')
}

export const ADDRESS: Subject = {
  id: 'settings-address',
  title: copy.address.title,
  lead: copy.address.lead,
  fields: [
    {
      name: 'url',
      setting: 'base_url',
      label: copy.address.baseUrl,
      help: 'https://zip.example.org',
      type: 'text',
    },
  ],
  read: ({ base_url }) => ({ url: base_url.value ?? '' }),
  changes: (draft, before) => (same(draft, before, 'url') ? {} : { base_url: textOf(draft.url) }),
}

export const NETWORKS: Subject = {
  id: 'settings-networks',
  title: copy.networks.title,
  lead: copy.networks.lead,
  fields: [
    {
      name: 'networks',
      setting: 'allow_network',
      label: copy.networks.allowed,
      help: copy.networks.help,
      type: 'text',
    },
  ],
  read: ({ allow_network }) => ({ networks: allow_network.value.join(', ') }),
  changes(draft, before) {
    if (same(draft, before, 'networks')) return {}
    const networks = (draft.networks ?? '').split(/[\s,;]+/).filter((network) => network !== '')
    return { allow_network: networks.length === 0 ? null : networks }
  },
}

export const PROXY: Subject = {
  id: 'settings-proxy',
  title: copy.proxy.title,
  lead: copy.proxy.lead,
  fields: [
    {
      name: 'address',
      setting: 'proxy',
      label: copy.proxy.address,
      help: copy.proxy.addressHelp,
      type: 'text',
    },
    { name: 'user', setting: 'proxy', label: copy.proxy.user, type: 'text' },
    {
      name: 'password',
      setting: 'proxy',
      label: copy.proxy.password,
      help: copy.proxy.passwordHelp,
      type: 'password',
    },
    {
      name: 'without',
      setting: 'no_proxy',
      label: copy.proxy.without,
      help: copy.proxy.withoutHelp,
      type: 'text',
    },
  ],
  read: ({ proxy, no_proxy }) => ({
    address: proxy.value ?? '',
    user: '',
    password: '',
    without: no_proxy.value ?? '',
  }),
  changes: (draft, before) => ({
    ...(!same(draft, before, 'address', 'user', 'password') && { proxy: withLogin(draft.address, draft) }),
    ...(!same(draft, before, 'without') && { no_proxy: textOf(draft.without) }),
  }),
}

export const MAIL: Subject = {
  id: 'settings-mail',
  title: copy.mail.title,
  lead: copy.mail.lead,
  fields: [
    { name: 'server', setting: 'smtp', label: copy.mail.server, help: copy.mail.serverHelp, type: 'text' },
    { name: 'from', setting: 'smtp', label: copy.mail.from, type: 'text' },
    { name: 'user', setting: 'smtp', label: copy.mail.user, type: 'text' },
    {
      name: 'password',
      setting: 'smtp',
      label: copy.mail.password,
      help: copy.mail.passwordHelp,
      type: 'password',
    },
  ],
  read: ({ smtp }) => ({ server: smtp.value ?? '', from: '', user: '', password: '' }),
  changes(draft, before) {
    if (same(draft, before, 'server', 'from', 'user', 'password')) return {}
    const server = withLogin(draft.server, draft)
    const from = textOf(draft.from)
    return { smtp: server === null || from === null ? server : `${server}?from=${encodeURIComponent(from)}` }
  },
}

export const SPEED: Subject = {
  id: 'settings-speed',
  title: copy.speed.title,
  lead: copy.speed.lead,
  fields: [
    {
      name: 'rate',
      setting: 'limit_rate',
      label: copy.speed.rateField,
      help: copy.speed.rateHelp,
      type: 'number',
      min: 0.001,
    },
    { name: 'jobs', setting: 'jobs', label: copy.speed.jobs, type: 'number', min: 1, max: 64 },
    {
      name: 'connections',
      setting: 'connections',
      label: copy.speed.connections,
      type: 'number',
      min: 1,
      max: 256,
    },
    {
      name: 'hostConnections',
      setting: 'host_connections',
      label: copy.speed.hostConnections,
      type: 'number',
      min: 1,
      max: 256,
    },
    {
      name: 'requests',
      setting: 'rate_limit',
      label: copy.speed.requests,
      help: copy.speed.requestsHelp,
      type: 'number',
      min: 0,
      max: 1_000_000,
    },
  ],
  read: (settings) => ({
    rate: inUnits(settings.limit_rate.value, MEGA),
    jobs: `${settings.jobs.value}`,
    connections: `${settings.connections.value}`,
    hostConnections: `${settings.host_connections.value}`,
    requests: `${settings.rate_limit.value}`,
  }),
  changes: (draft, before) => ({
    ...(!same(draft, before, 'rate') && { limit_rate: numberOf(draft.rate, MEGA) }),
    ...(!same(draft, before, 'jobs') && { jobs: numberOf(draft.jobs) }),
    ...(!same(draft, before, 'connections') && { connections: numberOf(draft.connections) }),
    ...(!same(draft, before, 'hostConnections') && { host_connections: numberOf(draft.hostConnections) }),
    ...(!same(draft, before, 'requests') && { rate_limit: numberOf(draft.requests) }),
  }),
}

/** The limits of a plan. An empty field keeps the limit, but that of the storage means that there is none. */
export function planSubject(plan: Plan): Subject {
  const field = (
    name: PlanLimit,
    label: string,
    bounds: Pick<SubjectField, 'min' | 'max' | 'help'>,
  ): SubjectField => ({
    name,
    setting: 'plans',
    path: `plans.${plan}.${name}`,
    label,
    type: 'number',
    ...bounds,
  })
  return {
    id: `settings-plan-${plan}`,
    title: copy.plans.title(PLAN_LABELS[plan]),
    lead: copy.plans.lead,
    fields: [
      field('max_urls', copy.plans.links, { min: 1, max: 5_000 }),
      field('max_zip_bytes', copy.plans.sizeField, { min: 0.001 }),
      field('min_retention_seconds', copy.plans.shortest, { min: 1 / 60, max: 60 * 24 * 60 }),
      field('max_retention_seconds', copy.plans.longest, { min: 1 / 60, max: 60 * 24 }),
      field('min_schedule_seconds', copy.plans.interval, { min: 1 / 60, max: 28 * 24 }),
      field('quota_gb_days', copy.plans.storageField, { min: 0, help: copy.plans.storageHelp }),
      field('max_database_bytes', copy.plans.lists, { min: 0.001 }),
    ],
    read(settings) {
      const limits = settings.plans.value[plan]
      const names = Object.entries(PLAN_UNITS)
      return Object.fromEntries(
        names.map(([name, unit]) => [name, isPlanLimit(name) ? inUnits(limits[name], unit) : '']),
      )
    },
    changes(draft, before) {
      const changed = Object.entries(PLAN_UNITS).flatMap(([name, unit]) => {
        if (same(draft, before, name)) return []
        const value = numberOf(draft[name], unit)
        return value === null && name !== 'quota_gb_days' ? [] : [[name, value]]
      })
      return changed.length === 0 ? {} : { plans: { [plan]: Object.fromEntries(changed) } }
    },
  }
}

type PlanLimit = keyof typeof PLAN_UNITS

const MEGA = 1e6
const HOUR_SECONDS = 3_600

/** How much one of a field is in the requests. */
const PLAN_UNITS = {
  max_urls: 1,
  max_zip_bytes: 1e9,
  min_retention_seconds: 60,
  max_retention_seconds: HOUR_SECONDS,
  min_schedule_seconds: HOUR_SECONDS,
  quota_gb_days: 1,
  max_database_bytes: MEGA,
} as const

function isPlanLimit(name: string): name is PlanLimit {
  return Object.hasOwn(PLAN_UNITS, name)
}

function same(draft: SettingsDraft, before: SettingsDraft, ...names: readonly string[]): boolean {
  return names.every((name) => draft[name] === before[name])
}

function textOf(text: string | undefined): string | null {
  return text?.trim() || null
}

function numberOf(text: string | undefined, unit = 1): number | null {
  const trimmed = textOf(text)
  return trimmed === null ? null : Math.round(Number(trimmed) * unit)
}

function inUnits(value: number | null, unit: number): string {
  return value === null ? '' : `${Math.round((value / unit) * 1e6) / 1e6}`
}

/** An address with what its server asks for: `http://USER:PASSWORD@HOST`. */
function withLogin(address: string | undefined, { user, password = '' }: SettingsDraft): string | null {
  const [, scheme = 'http://', rest = ''] = /^([a-z]+:\/\/)?(.*)$/i.exec(address?.trim() ?? '') ?? []
  if (rest === '') return null
  const name = textOf(user)
  return name === null
    ? scheme + rest
    : `${scheme}${encodeURIComponent(name)}:${encodeURIComponent(password)}@${rest}`
}
