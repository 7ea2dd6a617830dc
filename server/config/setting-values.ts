import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { z } from 'zod'
import type { Plans } from '../accounts/plan.ts'
import { parsePlans } from '../accounts/plans-file.ts'
import { parseAddress, parseNetwork } from '../fetching/addresses/ip.ts'
import { decodeText } from '../text/decode-text.ts'

// Parsers from the text of a setting to its value. Each message states what is expected.

/** A setting that can't be parsed. The message is one line that names the setting and states what is expected. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

export const networks = z._default(
  z.readonly(
    z.array(z.string().check(z.refine(isPrefixedNetwork, 'expected a network, as in 192.168.0.0/16'))),
  ),
  [],
)

/** A flag without a value, or a variable. */
export const switchSchema = z.pipe(
  z._default(z.enum(['', '0', '1', 'false', 'true'], 'expected true or false'), 'false'),
  z.transform((text) => text === '1' || text === 'true'),
)

/** A text with a parser, which returns null for what it can't parse. */
export function parsed<T>(parse: (text: string) => T | null, expected: string) {
  return z.pipe(
    z.string(),
    z.transform((text, context) => parse(text) ?? reject(context, expected)),
  )
}

/** A setting that is null if it is not given. */
export function orNull<T extends z.ZodType>(schema: T) {
  return z._default(z.nullable(schema), null)
}

function reject(context: z.core.ParsePayload, expected: string): never {
  context.issues.push({ code: 'custom', message: `expected ${expected}`, input: context.value })
  return z.NEVER
}

export function wholeNumberText(min: number, max: number) {
  const isInRange = (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
  return z.pipe(
    z.string().check(z.refine(isInRange, `expected a whole number from ${min} to ${max}`)),
    z.transform(Number),
  )
}

/** `HOST:PORT`, an IPv6 host in brackets. Port 0 lets the system choose. */
export function parseHostPort(text: string): { hostname: string; port: number } | null {
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(text) ?? []
  const hostname = bracketed ?? plain
  const port = Number(digits)
  if (hostname === undefined || port > 65_535) return null
  return bracketed !== undefined && parseAddress(bracketed)?.family !== 6 ? null : { hostname, port }
}

/** Removes slashes at the end, so that paths can be appended. */
export function parseBaseUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return null
  return url.href.replace(/\/+$/, '')
}

/** A plain address is refused: it may be a network whose prefix was forgotten. */
function isPrefixedNetwork(text: string): boolean {
  return text.includes('/') && parseNetwork(text) !== null
}

export function readPlans(path: string, context: z.core.ParsePayload): Plans {
  try {
    return parsePlans(decodeText(readFileSync(path)))
  } catch (error) {
    const [issue] = error instanceof z.core.$ZodError ? error.issues : []
    const problem = issue === undefined ? '' : ` (${[...issue.path, issue.message].join(' ')})`
    return reject(context, `a readable JSON file with limits of plans${problem}`)
  }
}

export function path(what: string) {
  return z.string().check(z.minLength(1, `expected ${what}`))
}

/** The directory in which programs of this platform keep the data of a user. */
export function defaultDataDir(
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
  { XDG_DATA_HOME, LOCALAPPDATA }: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (platform === 'win32') return win32.join(LOCALAPPDATA ?? win32.join(home, 'AppData', 'Local'), 'holdall')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'holdall')
  return posix.join(XDG_DATA_HOME || posix.join(home, '.local', 'share'), 'holdall')
}
