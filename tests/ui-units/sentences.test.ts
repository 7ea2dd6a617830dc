import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from '@typescript/typescript6'
import { CHANGEABLE, type ChangeableName, parseOwnerTexts } from '../../server/settings/changeable.ts'
import { type Sentences, sentenceIn } from '../../ui/src/language/sentences.ts'

const SERVER_DIR = join(import.meta.dir, '../../server')
const TRANSLATIONS_DIR = join(import.meta.dir, '../../ui/src/language/translations')

/** What the interface shows of these files, apart from their errors by code. */
const SOURCES = [
  'engine/bodies/body-warning.ts',
  'engine/inspection/inspect-page.ts',
  'engine/job-failure.ts',
  'engine/sources/login-warning.ts',
  'inspection/inspections.ts',
  'jobs/limits.ts',
  'schedules/run-store.ts',
  'schedules/runs.ts',
  'settings/base-url-check.ts',
]
/** The errors of deliveries are no sentences. */
const DELIVERIES = ['notifiers/deliverer.ts', ...filesIn('notifiers/sending')]
/** What is wrong with a field of a request, as the rest of a sentence about it. */
const FIELDS = [
  'accounts/plans-file.ts',
  'admin/users.ts',
  'fetching/headers/allowed-headers.ts',
  'jobs/lifecycle/base-store.ts',
  'jobs/lifecycle/creation-store.ts',
  'jobs/limits.ts',
  'jobs/lifecycle/replacements.ts',
  'keys/api-keys.ts',
  'notifiers/check-target.ts',
  'notifiers/notifiers.ts',
  'schedules/recurrence.ts',
  'sites/sites.ts',
  'text/issue-messages.ts',
  ...[
    'http',
    'http/jobs',
    'http/keys',
    'http/notifiers',
    'http/schedules',
    'http/sites',
    'http/users',
  ].flatMap(filesIn),
]
/** Why a copied command or a file with logins can't be used, as the rest of a sentence about it. */
const LOGINS = filesIn('credentials')
/** Their errors are for programs, or for receivers, whose page shows next to none of them. */
const NOT_FOR_THE_INTERFACE =
  /^(?:http\/(?:body|downloads|request-target|jobs\/event-streams)|downloads|cli|build|client)\b/

/** Each is wrong for some settings. */
const WRONG_SETTINGS: readonly unknown[] = [
  null,
  '?',
  '-1',
  '9'.repeat(12),
  'ftp://a.test',
  ['?'],
  { free: { max_urls: 0 } },
  { free: { max_urls: 1e9 } },
  { free: { min_retention_seconds: 9_000, max_retention_seconds: 600 } },
  { pro: { misspelt: 1 } },
]

/** Problems of what only programs send. */
const PROGRAMS_ONLY: ReadonlySet<string> = new Set([
  'needs status=failed',
  'is ignored. Did you mean 7?',
  'is ignored here: 7 belongs 7.',
  'is ignored: there is no such field.',
])

/** What a value of a sentence may be, by its name there. */
const VALUES: Readonly<Record<string, string>> = {
  reason: 'Timed out.',
  message: '3 of 10 URLs could not be fetched.',
  cause: 'Timed out',
  by: ' by Scanner',
  'error.message': 'has no URL',
  'job.status': 'completed',
  'option.reason': 'takes another way to the server. Remove it',
  nameIssue: 'must be the name of a header, such as Authorization',
  valueIssue: 'must contain printable ASCII characters only',
  'TYPE_NAMES[issue.expected] ?? issue.expected': 'a list',
  "VERBS[issue.origin] ?? 'be'": 'have',
  'withUnit(issue.minimum, issue.origin)': '1 character',
  'withUnit(issue.maximum, issue.origin)': '2 items',
}

describe('The words of the service', () => {
  const sentences = SOURCES.flatMap((path) => textsIn(path, isSentence))
  const deliveries = DELIVERIES.flatMap((path) => textsIn(path, isDeliveryError))

  test('are found in its source', () => {
    expect(sentences).toContain('The page has no links.')
    expect(sentences).toContain('The 7 plan allows 7 URLs per job, and this job has 7.')
    expect(deliveries).toContain('Mail server refused the login (SMTP 7)')
  })

  const errors = [...new Bun.Glob('**/*.ts').scanSync(SERVER_DIR)]
    .filter((path) => !NOT_FOR_THE_INTERFACE.test(path))
    .flatMap(errorsIn)
    // The interface sends no method that a path does not allow.
    .filter(({ code }) => code !== 'METHOD_NOT_ALLOWED')
  const fields = FIELDS.flatMap((path) => textsIn(path, isFieldProblem))
  const logins = LOGINS.flatMap((path) => textsIn(path, isLoginProblem))
  const settings = CHANGEABLE.flatMap(({ name }) =>
    WRONG_SETTINGS.flatMap((value) => problemsOf(name, value)),
  )

  test('also are the errors, the problems of fields and of logins', () => {
    expect(errors).toContainEqual({ code: 'INVALID_REQUEST', message: 'This job is being retried.' })
    expect(fields).toContain('must be an http or https URL')
    expect(fields).toContain('must have at least 1 character')
    expect(logins).toContain('has the option 7, which takes another way to the server. Remove it')
    expect(logins).toContain('signs in by a method that Holdall does not have')
    expect(settings).toContain('must be a network, as in 192.168.0.0/16')
  })

  for (const file of readdirSync(TRANSLATIONS_DIR)) {
    test(`of all errors, fields, logins and settings have a translation in ${file}`, async () => {
      const { serviceWordsCopy, apiCopy } = await import(join(TRANSLATIONS_DIR, file))
      const isKnown = (words: string) => serviceWordsCopy.sentence(words) !== words
      const isKnownError = ({ code, message }: { code: string; message: string }) =>
        apiCopy.error(code, message) !== message || isKnown(message)
      const unknownErrors = errors.filter((error) => !isKnownError(error)).map(({ message }) => message)
      const unknownProblems = [...fields, ...logins, ...settings].filter((words) => !isKnown(words))
      expect([...unknownErrors, ...unknownProblems]).toEqual([])
    })

    test(`have a translation in ${file}`, async () => {
      const { serviceWordsCopy } = await import(join(TRANSLATIONS_DIR, file))
      const isKnown = (words: string) => serviceWordsCopy.sentence(words) !== words
      expect([...sentences, ...deliveries].filter((words) => !isKnown(words))).toEqual([])
      expect(serviceWordsCopy.sentence('A sentence of a newer service.')).toBe(
        'A sentence of a newer service.',
      )
    })
  }
})

describe('A sentence', () => {
  const german: Sentences = {
    'The {plan} plan allows {max} URLs.': '{max} Links erlaubt der Tarif {plan}.',
    'Last: {sentence}': 'Zuletzt: {sentence}',
    'The page has no links.': 'Die Seite hat keine Links.',
    'every {time}': 'alle {time}',
    '{count} days': '{count} Tage',
  }

  test.each([
    ['The free plan allows 1.5 URLs.', '1.5 Links erlaubt der Tarif free.'],
    ['every 3 days', 'alle 3 Tage'],
    ['Last: The page has no links.', 'Zuletzt: Die Seite hat keine Links.'],
  ])('%p has its values in the translation', (english, translation) => {
    expect(sentenceIn(german, english)).toBe(translation)
  })

  test.each([
    'The page has no links',
    'The free plan allows 7 URLs. Something else allows 8 URLs.',
    'Last: Something new.',
  ])('that is not known as a whole stays in English: %p', (english) => {
    expect(sentenceIn(german, english)).toBe(english)
  })
})

/** As a change of the owner is refused. */
function problemsOf(setting: ChangeableName, value: unknown): string[] {
  const parsed = parseOwnerTexts({ [setting]: value })
  const issues = 'issues' in parsed ? parsed.issues : []
  return issues.map(({ message }) => message.replace(/^expected /, 'must be '))
}

/** The errors that a source file throws with a sentence of its own. */
function errorsIn(path: string): { code: string; message: string }[] {
  const found: { code: string; message: string }[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isNewExpression(node) || node.expression.getText() !== 'ServiceError') return
    const [code, message] = node.arguments ?? []
    if (code === undefined || message === undefined || !ts.isStringLiteral(code)) return
    const texts = textsOf(message, (text) => /^[A-Z].* .*[.!?]$/.test(text))
    found.push(...texts.map((text) => ({ code: code.text, message: text })))
  }
  visit(parse(path))
  return found
}

function filesIn(directory: string): string[] {
  return readdirSync(join(SERVER_DIR, directory))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(directory, basename(name)))
}

/** The texts of a source file, with a value in each place for one. Those that are joined are one text. */
function textsIn(path: string, isWanted: (text: string, node: ts.Node) => boolean): string[] {
  return textsOf(parse(path), isWanted)
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(SERVER_DIR, path), 'utf8'), ts.ScriptTarget.Latest, true)
}

function textsOf(root: ts.Node, isWanted: (text: string, node: ts.Node) => boolean): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text === null) ts.forEachChild(node, visit)
    else if (isWanted(text, node)) found.push(text)
  }
  visit(root)
  return found
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (text, { expression, literal }) => text + (VALUES[expression.getText()] ?? '7') + literal.text,
      node.head.text,
    )
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === null || right === null ? null : left + right
}

/** For people, unlike the errors of programmers, which begin with a small letter. */
function isSentence(text: string): boolean {
  return /^[A-Z0-9].* .*[.!?]$/.test(text)
}

function isFieldProblem(text: string): boolean {
  return /^(?:must|is|has|needs|cannot) \S/.test(text) && !PROGRAMS_ONLY.has(text)
}

function isLoginProblem(text: string): boolean {
  return /^(?:\(\w+ \S+\) )?(?:has|is|ends|sends|changes|asks|names|signs|takes) \S/.test(text)
}

/** The error of an attempt, as a value of its result. A status is the same in each language. */
function isDeliveryError(text: string, { parent }: ts.Node): boolean {
  return ts.isPropertyAssignment(parent) && parent.name.getText() === 'error' && !/^SMTP \d+$/.test(text)
}
