import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from '@typescript/typescript6'
import { type Sentences, sentenceIn } from '../../ui/src/language/sentences.ts'

const SERVER_DIR = join(import.meta.dir, '../../server')
const TRANSLATIONS_DIR = join(import.meta.dir, '../../ui/src/language/translations')

/** What the interface shows of these files, apart from their errors by code. */
const SOURCES = [
  'engine/bodies/body-warning.ts',
  'engine/inspection/inspect-page.ts',
  'engine/job-failure.ts',
  'engine/sources/pack-sources.ts',
  'inspection/inspections.ts',
  'jobs/limits.ts',
  'schedules/run-store.ts',
  'schedules/runs.ts',
  'settings/base-url-check.ts',
]
/** The errors of deliveries are no sentences. */
const DELIVERIES = ['notifiers/deliverer.ts', ...filesIn('notifiers/sending')]

/** What a value of a sentence may be, by its name there. */
const VALUES: Readonly<Record<string, string>> = {
  reason: 'Timed out.',
  message: '3 of 10 URLs could not be fetched.',
  cause: 'Timed out',
}

describe('The words of the service', () => {
  const sentences = SOURCES.flatMap((path) => textsIn(path, isSentence))
  const deliveries = DELIVERIES.flatMap((path) => textsIn(path, isDeliveryError))

  test('are found in its source', () => {
    expect(sentences).toContain('The page has no links.')
    expect(sentences).toContain('The 7 plan allows 7 URLs per job, and this job has 7.')
    expect(deliveries).toContain('Mail server refused the login (SMTP 7)')
  })

  for (const file of readdirSync(TRANSLATIONS_DIR)) {
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

function filesIn(directory: string): string[] {
  return readdirSync(join(SERVER_DIR, directory))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(directory, basename(name)))
}

/** The texts of a source file, with a value in each place for one. Those that are joined are one text. */
function textsIn(path: string, isWanted: (text: string, node: ts.Node) => boolean): string[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(SERVER_DIR, path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text === null) ts.forEachChild(node, visit)
    else if (isWanted(text, node)) found.push(text)
  }
  visit(source)
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

/** The error of an attempt, as a value of its result. A status is the same in each language. */
function isDeliveryError(text: string, { parent }: ts.Node): boolean {
  return ts.isPropertyAssignment(parent) && parent.name.getText() === 'error' && !/^SMTP \d+$/.test(text)
}
