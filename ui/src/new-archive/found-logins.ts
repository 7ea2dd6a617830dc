import { batch, createEffect, createMemo, createRoot, createSignal, on } from 'solid-js'
import { type LoginKind, loginKind } from '../../../server/credentials/login-kind.ts'
import { decodeText } from '../../../server/text/decode-text.ts'
import type { NewJob } from '../api/jobs.ts'
import { changeSite, createSite, isOwn, listSites } from '../api/sites.ts'
import { inSentence, type Message, wordsOfService } from '../base/message.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { type Recognised, urlProblem } from '../links/link.ts'
import { sessionKey } from '../session/session.ts'
import { draftLinks } from './draft.ts'
import type { FoundLogin, PastedLogins } from './read-logins.ts'

// Logins that were pasted or dropped with the links of the draft. They are in the memory of this page alone, and never saved with the
// draft: a reload forgets them. See ui/decisions/draft.md.

/** What the user does with the login for an origin. */
export type LoginChoice = 'archive' | 'save' | 'leave-out'

const NONE: PastedLogins = { commands: [], cookies: [], netrc: [] }

const [given, setGiven] = createSignal(NONE)
const [choices, setChoices] = createSignal<ReadonlyMap<string, LoginChoice>>(new Map())
/** Why the last text was refused, as a sentence. */
const [loginProblem, setLoginProblem] = createSignal<Message>()
/** Loaded with the first login. */
const [reader, setReader] = createSignal<typeof import('./read-logins.ts')>()

export { loginProblem }

/** The logins for the origins of the draft. */
export const foundLogins = createRoot(() => {
  createEffect(on(sessionKey, forgetLogins, { defer: true }))
  return createMemo((): readonly FoundLogin[] =>
    given() === NONE ? [] : (reader()?.loginsForLinks(draftLinks(), given(), Date.now()) ?? []),
  )
})

/** Whether cookies or a .netrc were dropped that are for no link of the draft. */
export function hasUnusedLogins(): boolean {
  return (given().cookies.length > 0 || given().netrc.length > 0) && foundLogins().length === 0
}

export function choiceFor(origin: string): LoginChoice {
  return choices().get(origin) ?? 'archive'
}

export function chooseLogin(origin: string, choice: LoginChoice): void {
  setChoices((choices) => new Map([...choices, [origin, choice]]))
}

/**
 * Takes a text or a file if it is a copied curl command, a cookies.txt or a .netrc. Returns its links, of which files have none; null
 * for any other text.
 */
export async function takeLogins(source: string | Blob): Promise<Recognised[] | null> {
  const kind = await kindOf(source)
  if (kind === null) return null
  setLoginProblem(undefined)
  const text = typeof source === 'string' ? source : decodeText(new Uint8Array(await source.arrayBuffer()))
  const module = await import('./read-logins.ts')
  try {
    const read = module.readLogins(text, kind)
    batch(() => {
      setReader(module)
      setGiven((known) => ({
        commands: [...known.commands, ...(read.commands ?? [])],
        cookies: [...known.cookies, ...(read.cookies ?? [])],
        netrc: [...(read.netrc ?? []), ...known.netrc],
      }))
    })
    const urls = read.commands?.flatMap(({ urls }) => urls) ?? []
    return urls.map((url) => {
      const reason = urlProblem(url)
      return reason === null ? { kind: 'link', url, filename: null } : { kind: 'text', text: url, reason }
    })
  } catch (error) {
    setLoginProblem(
      inSentence(
        wordsOfService(error instanceof Error ? error.message : String(error)),
        newArchiveCopy.logins.wrong[kind],
      ),
    )
    return []
  }
}

/**
 * Saves the logins that are to be saved, and returns those for this archive alone. One that has been saved is not saved again when the
 * archive can't be created.
 */
export async function settleLogins(): Promise<Pick<NewJob, 'headers'>> {
  const logins = foundLogins()
  for (const login of logins.filter(({ origin }) => choiceFor(origin) === 'save')) {
    await saveLogin(login)
    chooseLogin(login.origin, 'leave-out')
  }
  const headers = logins
    .filter(({ origin }) => choiceFor(origin) === 'archive')
    .map(({ origin, headers }) => ({ origin, headers: [...headers] }))
  return headers.length === 0 ? {} : { headers }
}

export function forgetLogins(): void {
  batch(() => {
    setGiven(NONE)
    setChoices(new Map())
    setLoginProblem(undefined)
  })
}

/** A site of the user's own with the same headers is renewed. */
async function saveLogin({ origin, headers }: FoundLogin): Promise<void> {
  const names = namesOf(headers.map(({ name }) => name))
  const known = (await listSites(new AbortController().signal)).find(
    (site) => isOwn(site) && site.origin === origin && namesOf(site.header_names) === names,
  )
  if (known === undefined) await createSite({ origin, headers: [...headers] })
  else await changeSite(known.id, { headers: [...headers] })
}

function namesOf(names: readonly string[]): string {
  return names
    .map((name) => name.toLowerCase())
    .toSorted()
    .join()
}

async function kindOf(source: string | Blob): Promise<LoginKind | null> {
  if (typeof source === 'string') return loginKind(source)
  if (source.size > MAX_FILE_BYTES) return null
  return loginKind(decodeText(new Uint8Array(await source.slice(0, SAMPLE_BYTES).arrayBuffer())))
}

/** More than the cookies of a browser. */
const MAX_FILE_BYTES = 20_000_000
const SAMPLE_BYTES = 20_000
