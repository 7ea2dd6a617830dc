import { describe, expect, test } from 'bun:test'
import { LOG_LEVELS, type LogSettings, openLog } from '../../server/logging/log.ts'

function openTestLog(settings: Partial<LogSettings> = {}) {
  const lines: string[] = []
  const log = openLog({ logFormat: 'json', logLevel: 'debug', ...settings }, (line) => lines.push(line))
  return { log, lines }
}

describe('The log', () => {
  test('has one JSON object per line, whatever its texts contain', () => {
    const { log, lines } = openTestLog()
    log.warn('a "message"\nof two lines', {
      job: 'x',
      count: 3,
      isLast: true,
      time: 'no',
      error: new Error('why\nnot'),
    })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toEndWith('}\n')
    expect(lines[0]?.trimEnd()).not.toContain('\n')
    const { time, error, ...rest } = JSON.parse(lines[0] ?? '')
    expect(rest).toEqual({
      job: 'x',
      count: 3,
      isLast: true,
      level: 'warn',
      message: 'a "message"\nof two lines',
    })
    expect(new Date(time).toISOString()).toBe(time)
    expect(lines[0]).toStartWith('{"time":')
    expect(error).toContain('why\nnot')
  })

  test('has, in text format, lines with the time, level, message and name=value', () => {
    const { log, lines } = openTestLog({ logFormat: 'text' })
    log.info('job completed', { job: 'x', files: 3, error: 'two\nlines' })
    expect(lines[0]).toMatch(/^\S+Z info job completed job=x files=3 error="two\\nlines"\n$/)
  })

  test.each(LOG_LEVELS)('at level %s contains that level and the more urgent ones', (logLevel) => {
    const { log, lines } = openTestLog({ logLevel })
    for (const level of LOG_LEVELS) log[level]('something')
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(
      LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(logLevel) + 1),
    )
  })

  test('contains the cause of an error', () => {
    const { log, lines } = openTestLog()
    log.error('a request failed', {
      error: new Error('the query failed', { cause: new Error('no such table') }),
    })
    expect(lines[0]).toContain('no such table')
  })

  test.each([
    'https://user:s3cret@host/path',
    'Failed query: insert values (https://host/a?key=s3cret&b=s3cret, 2)',
    'http://user:p@s3cret@host:80?s3cret',
    'GET http://127.0.0.1/download/s3cret.s3cret failed',
    'GET http://127.0.0.1/share/s3cret.s3cret failed',
    'http://127.0.0.1/sign-in#s3cret',
    'authorization: Bearer s3cret',
    'key hold_s3cret9',
    'secret whsec_s3cret+/9=',
  ])('hides the secret in %p', (text) => {
    for (const logFormat of ['json', 'text'] as const) {
      const { log, lines } = openTestLog({ logFormat })
      log.error('failed', { text, error: new Error(text, { cause: new Error(text) }) })
      expect(lines.join('')).toContain('[hidden]')
      expect(lines.join('')).not.toContain('s3cret')
    }
  })
})
