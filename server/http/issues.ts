import type { z } from 'zod'

/** What is wrong with a value, said after its name: `expires_in must be at least 300`. */
export function sayIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is needed' : `must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `must ${MEASURED[issue.origin] ?? 'be'} at least ${counted(issue.minimum, issue.origin)}`
    case 'too_big':
      return `must ${MEASURED[issue.origin] ?? 'be'} at most ${counted(issue.maximum, issue.origin)}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    default:
      return undefined
  }
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

/** What is counted, and not the value itself. */
const MEASURED: Readonly<Record<string, string>> = { array: 'have', string: 'have' }
const UNITS: Readonly<Record<string, string>> = { array: ' item', string: ' character' }

function counted(limit: number | bigint, origin: string): string {
  const unit = UNITS[origin] ?? ''
  return `${limit}${unit}${unit === '' || limit === 1 ? '' : 's'}`
}
