/** The weights of a list such as that of `Accept` or `Accept-Encoding`, by its lower-case items (RFC 9110, section 12.4.2). */
export function qualityValues(list: string): Map<string, number> {
  const items = list.toLowerCase().split(',')
  return new Map(
    items.map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
}
