import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { z } from 'zod'
import type { Plans } from './accounts/plan.ts'
import { parsePlans } from './accounts/plans-file.ts'
import { decodeText } from './decode-text.ts'
import { parseAddress, parseNetwork } from './fetching/ip-address.ts'

// Parsers from the text of a setting to its value. Each message states what is expected.

/** A setting that can't be parsed. The message is one line that names the setting and states what is expected. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

export const networks = z
  .array(z.string().refine(isPrefixedNetwork, 'expected a network, as in 192.168.0.0/16'))
  .readonly()
  .default([])

/** A flag without a value, or a variable. */
export const switchSchema = z
  .enum(['', '0', '1', 'false', 'true'], 'expected true or false')
  .default('false')
  .transform((text) => text === '1' || text === 'true')

export function reject(context: z.RefinementCtx, expected: string): never {
  context.addIssue({ code: 'custom', message: `expected ${expected}` })
  return z.NEVER
}

export function wholeNumber(min: number, max: number) {
  const message = `expected a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.int().min(min, message).max(max, message))
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

export function readPlans(path: string, context: z.RefinementCtx): Plans {
  try {
    return parsePlans(decodeText(readFileSync(path)))
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : []
    const problem = issue === undefined ? '' : ` (${[...issue.path, issue.message].join(' ')})`
    return reject(context, `a readable JSON file with limits of plans${problem}`)
  }
}

export function path(what: string) {
  return z.string().min(1, `expected ${what}`)
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
