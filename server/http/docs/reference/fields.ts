import { type Html, html } from '../../html.ts'
import type { JsonSchema } from '../openapi.ts'

/** A field of an object, or a parameter. */
export type Row = readonly [name: string, schema: JsonSchema, isRequired: boolean]

/** Tables of fields for one page, on which each anchor comes once. */
export function openFieldTables() {
  const anchors = new Set<string>()

  /** One row per field, also of a nullable object. The anchor of `url` in `createJob` is `createJob.url`. */
  function fieldsOf(schema: JsonSchema, anchor: string): Html {
    const parts = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(isSchema)
    return table(
      parts.flatMap(({ properties = {}, required = [] }) =>
        Object.entries(properties)
          .filter((field): field is [string, JsonSchema] => isSchema(field[1]))
          .map(([name, field]): Row => [name, field, required.includes(name)]),
      ),
      anchor,
    )
  }

  function table(rows: readonly Row[], anchor: string): Html {
    return html`<table>${rows.map(([name, schema, isRequired]) => {
      const own = `${anchor}.${name}`
      // The kinds of an object may have fields of the same name.
      const isNew = !anchors.has(own)
      anchors.add(own)
      const code = html`<code>${name}</code>`
      const label = isNew ? html`<a class="anchor" href="#${own}">${code}</a>` : code
      return html`<tr${isNew ? html` id="${own}"` : ''}><td>${label}${
        isRequired ? '' : html` <small>optional</small>`
      }</td><td>${typeOf(schema, own)}</td><td>${schema.description ?? ''}</td></tr>`
    })}</table>`
  }

  function typeOf(schema: JsonSchema, anchor: string): Html {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1) ?? ''
      return html`<a href="/docs/reference/schemas#${name}">${name}</a>`
    }
    const kinds = schema.anyOf ?? schema.oneOf
    if (kinds !== undefined) {
      const types = kinds.filter(isSchema).map((kind) => typeOf(kind, anchor))
      return html`${types.map((type, index) => html`${index === 0 ? '' : ' or '}${type}`)}`
    }
    if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`
    if (schema.enum !== undefined) return html`${schema.enum.map(String).join(', ')}`
    if (isSchema(schema.items)) return html`array${details(schema)} of ${typeOf(schema.items, anchor)}`
    if (schema.properties !== undefined) return fieldsOf(schema, anchor)
    const types = [schema.type ?? 'any'].flat().join(' or ')
    return html`${types}${details(schema)}`
  }

  return { fieldsOf, table, typeOf }
}

export type FieldTables = ReturnType<typeof openFieldTables>

/** The format and the bounds of a value, in parentheses. */
function details({ format, minimum, maximum, minItems, maxItems, maxLength }: JsonSchema): string {
  const least = minimum ?? minItems
  const most = maximum ?? maxItems
  // An integer without its own maximum has the maximum of the format, which is not shown.
  const range = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : `${least ?? 0} to ${most}`
  const length = maxLength === undefined ? undefined : `at most ${maxLength} characters`
  const found = [format, range, length].filter((detail) => detail !== undefined)
  return found.length === 0 ? '' : ` (${found.join(', ')})`
}

function isSchema(schema: JsonSchema | boolean | readonly unknown[] | undefined): schema is JsonSchema {
  return typeof schema === 'object' && !Array.isArray(schema)
}
