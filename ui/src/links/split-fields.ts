/** Splits a line of CSV into fields. A quoted field may contain the separator, and doubled quotes (RFC 4180). */
export function splitFields(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator)
  const fields: string[] = []
  let field = ''
  let quoted = false
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? ''
    if (character === '"' && quoted && line[index + 1] === '"') {
      field += '"'
      index += 1
    } else if (character === '"' && (quoted || field.trim() === '')) {
      quoted = !quoted
    } else if (character === separator && !quoted) {
      fields.push(field)
      field = ''
    } else {
      field += character
    }
  }
  return [...fields, field]
}
