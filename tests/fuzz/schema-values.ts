import fc from 'fast-check'
import type { JsonSchema } from '../../server/http/docs/openapi.ts'
import { oddJson, oddNumber, oddText } from './odd-values.ts'

/** Arbitraries for formats of strings that a schema names: `uri`, `date-time`. */
export type Formats = Readonly<Record<string, fc.Arbitrary<string>>>

/** Values that mostly match a JSON Schema, often at its limits, and sometimes do not match. */
export function valuesOf(schema: JsonSchema, formats: Formats): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fittingValues(schema, formats) },
    { weight: 1, arbitrary: oddJson },
  )
}

function fittingValues(schema: JsonSchema, formats: Formats): fc.Arbitrary<unknown> {
  const { anyOf, oneOf, allOf, const: only, enum: choices, example, type } = schema
  // Of texts with a form of their own, which random ones do not have.
  if (example !== undefined) return fc.constant(example)
  if (only !== undefined) return fc.constant<unknown>(only)
  if (choices !== undefined) return fc.constantFrom<unknown>(...choices)
  if (anyOf !== undefined) return mostlyFirst(anyOf.map((part) => valuesOf(part, formats)))
  if (oneOf !== undefined) return fc.oneof(...oneOf.map((part) => fittingValues(asSchema(part), formats)))
  const [whole] = allOf ?? []
  if (whole !== undefined) return fittingValues(whole, formats)
  if (Array.isArray(type))
    return fc.oneof(...type.map((each) => valuesOfType({ ...schema, type: each }, formats)))
  return valuesOfType(schema, formats)
}

/** The first is the value; the others leave it out. */
function mostlyFirst(choices: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.oneof(...choices.map((arbitrary, index) => ({ weight: index === 0 ? 9 : 1, arbitrary })))
}

function valuesOfType(schema: JsonSchema, formats: Formats): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'object':
      return objects(schema, formats)
    case 'array':
      return arrays(schema, formats)
    case 'string':
      return strings(schema, formats)
    case 'integer':
    case 'number':
      return numbers(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return oddJson
  }
}

function objects(schema: JsonSchema, formats: Formats): fc.Arbitrary<unknown> {
  const needsSome = (schema.minProperties ?? 0) > 0
  const named = Object.entries(schema.properties ?? {}).map(([name, value]) => {
    const isRequired = schema.required?.includes(name) === true
    const given = valuesOf(asSchema(value), formats).map((present) => [[name, present] as const])
    return fc.oneof(
      { weight: isRequired ? 20 : needsSome ? 4 : 1, arbitrary: given },
      { weight: isRequired ? 1 : 2, arbitrary: fc.constant([]) },
    )
  })
  const pair = fc.tuple(oddText, valuesOf(asSchema(schema.additionalProperties), formats))
  const others = fc.oneof(
    { weight: 4, arbitrary: fc.array(pair, { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(pair, { maxLength: (schema.maxProperties ?? 0) + 1, size: 'max' }) },
  )
  const additional =
    schema.additionalProperties === undefined
      ? fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: others })
      : others
  // Not by assignment, which would set the prototype for `__proto__`.
  return fc
    .tuple(fc.tuple(...named), additional)
    .map(([own, more]) => Object.fromEntries([...own.flat(), ...more]))
}

function arrays(schema: JsonSchema, formats: Formats): fc.Arbitrary<unknown> {
  const items = valuesOf(asSchema(schema.items), formats)
  const { minItems = 0, maxItems = 10 } = schema
  const atBounds = fc
    .tuple(items, fc.constantFrom(minItems - 1, maxItems, maxItems + 1))
    .map(([item, length]) => Array<unknown>(Math.max(0, length)).fill(item))
  return fc.oneof(
    { weight: 150, arbitrary: fc.array(items, { minLength: minItems, maxLength: 4 }) },
    { weight: 1, arbitrary: atBounds },
  )
}

function strings({ format, pattern, maxLength = 40 }: JsonSchema, formats: Formats): fc.Arbitrary<unknown> {
  const formatted = format === undefined ? undefined : formats[format]
  if (formatted !== undefined) return formatted
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: 'small' })
  const atBounds = fc
    .tuple(fc.constantFrom('a', '\u00e9', '\u{1d4b3}', '"'), fc.constantFrom(-1, 0, 1))
    .map(([character, more]) => character.repeat(maxLength + more))
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('a', 'some text', 'Stra\u00dfe', 'report.zip') },
    { weight: 3, arbitrary: oddText },
    { weight: 1, arbitrary: atBounds },
  )
}

function numbers({ minimum = 0, maximum = 1_000 }: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom(minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1),
    fc.integer({ min: minimum, max: maximum }),
    oddNumber,
  )
}

/** The schema `true`, or no schema, matches everything. */
function asSchema(schema: unknown): JsonSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? { ...schema } : {}
}
