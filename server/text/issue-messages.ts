import type { z } from 'zod'

/** The problem of a value, as the end of a sentence that begins with its name: `expires_in must be at least 300`. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is needed'
        : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `must ${VERBS[issue.origin] ?? 'be'} at least ${withUnit(issue.minimum, issue.origin)}`
    case 'too_big':
      return `must ${VERBS[issue.origin] ?? 'be'} at most ${withUnit(issue.maximum, issue.origin)}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      return issue.format === 'guid' ? 'must be a UUID' : 'is not valid'
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`
    default:
      return 'is not valid'
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

/** Verbs of values whose parts are counted. */
const VERBS: Readonly<Record<string, string>> = { array: 'have', string: 'have' }
const UNITS: Readonly<Record<string, string>> = { array: ' item', string: ' character' }

function withUnit(limit: number | bigint, origin: string): string {
  const unit = UNITS[origin] ?? ''
  return `${limit}${unit}${unit === '' || limit === 1 ? '' : 's'}`
}
