/** JSON for people: an object or an array is on one line if it fits. `JSON.stringify` gives each part a line. */
export function printJson(value: unknown, indent = ''): string {
  const line = onOneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_CHARACTERS)
    return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((part) => printJson(part, inner))
    : Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${printJson(field, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

/** So that most lines are wholly in view on a laptop. */
const LINE_CHARACTERS = 72

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${onOneLine(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
