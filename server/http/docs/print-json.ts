/** JSON for people: an object or an array is on one line if it fits. Other than by `JSON.stringify`, short lists stay short. */
export function printJson(value: unknown, indent = ''): string {
  const short = JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return short
  const spaced = JSON.stringify(value, null, 1).replace(/\n */g, ' ')
  if (indent.length + spaced.length <= LINE_CHARACTERS) {
    return Array.isArray(value) ? spaced.replace(/^\[ | \]$/g, (end) => end.trim()) : spaced
  }
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((part) => printJson(part, inner))
    : Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${printJson(field, inner)}`)
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

/** So that most lines are wholly in view on a laptop. */
const LINE_CHARACTERS = 72
