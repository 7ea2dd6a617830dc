import { z } from 'zod'
import { type FetchSettings, limitsWith } from '../fetching/fetch-settings.ts'
import type { ProxySettings } from '../fetching/proxies/proxy.ts'
import { type HttpProxy, parseProxy } from '../fetching/proxies/proxy.ts'
import { OWN_USER_AGENT } from '../fetching/request.ts'
import { readCertificates } from './certificates.ts'
import { orNull, parsed, wholeNumberText } from './setting-values.ts'

/** The settings of how sources are fetched. */
export const SOURCE_SETTINGS = {
  proxy: {
    flag: 'proxy',
    env: 'HOLDALL_PROXY',
    value: 'URL',
    help: 'proxy to fetch through, http or https, with USER:PASSWORD@ if it wants them (none)',
    schema: orNull(parsed(parseProxy, 'http://HOST:PORT or https://HOST:PORT')),
    change: { needsCode: 'always', isSecret: true },
  },
  noProxy: {
    flag: 'no-proxy',
    env: 'HOLDALL_NO_PROXY',
    value: 'LIST',
    help: 'hosts to fetch from without the proxy: names, addresses, networks, * for all (none)',
    schema: orNull(z.string()),
    change: { needsCode: 'always' },
  },
  ca: {
    flag: 'ca',
    env: 'HOLDALL_CA',
    value: 'FILE',
    help: 'PEM file of certificates to trust, beside those that are built in (none)',
    repeatable: true,
    schema: z._default(z.pipe(z.array(z.string()), z.transform(readAll)), [] as string[]),
  },
  timeout: {
    flag: 'timeout',
    env: 'HOLDALL_TIMEOUT',
    value: 'SECONDS',
    help: 'how long a source may take until its first byte, 1 to 3600 (60)',
    schema: z._default(wholeNumberText(1, 3_600), 60),
  },
  userAgent: {
    flag: 'user-agent',
    env: 'HOLDALL_USER_AGENT',
    value: 'TEXT',
    short: 'A',
    help: `how Holdall calls itself to sources (${OWN_USER_AGENT})`,
    schema: z._default(
      z.string().check(z.regex(/^[!-~](?:[ -~]{0,254}[!-~])?$/, 'expected printable ASCII characters')),
      OWN_USER_AGENT,
    ),
  },
  limitRate: {
    flag: 'limit-rate',
    env: 'HOLDALL_LIMIT_RATE',
    value: 'RATE',
    help: 'bytes per second to fetch at most, in all, as 500k or 20M (no limit)',
    schema: orNull(parsed(parseRate, 'bytes per second from 1k on, as in 500k or 20M')),
    change: { needsCode: 'never' },
  },
} as const

/** The values of these settings. */
export interface SourceValues {
  readonly proxy: HttpProxy | null
  readonly noProxy: string | null
  readonly ca: readonly string[]
  /** In seconds. */
  readonly timeout: number
  readonly userAgent: string
  /** Bytes per second. */
  readonly limitRate: number | null
}

/** @param proxies by default the proxy of the settings, for all URLs */
export function fetchSettingsOf(
  { proxy, noProxy, ca, timeout, userAgent, limitRate }: SourceValues,
  proxies: ProxySettings = { http: proxy, https: proxy, exempt: noProxy ?? '' },
): FetchSettings {
  return { limits: limitsWith(timeout * 1000), proxies, ca, userAgent, bytesPerSecond: limitRate }
}

/** Bytes per second, with a power of 1,000 as its unit. Null if it is none, or below 1,000. */
function parseRate(text: string): number | null {
  const [, number = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?)([kmg]?)$/i.exec(text.trim()) ?? []
  const bytesPerSecond = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? 1))
  return number !== '' && bytesPerSecond >= 1000 ? bytesPerSecond : null
}

const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9 }

function readAll(paths: string[], context: z.core.ParsePayload): readonly string[] {
  return paths.flatMap((path) => {
    const read = readCertificates(path)
    if (!('problem' in read)) return read
    const message = `expected a PEM file of certificates, but ${path} ${read.problem}`
    context.issues.push({ code: 'custom', message, input: path })
    return []
  })
}
