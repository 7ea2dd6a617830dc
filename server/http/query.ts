/**
 * The parameters of a query string. A parameter that comes several times has a list, which no schema accepts.
 *
 * Elysia's own reader splits a value at its commas if the schema is not one of its own, and reads one in brackets as JSON.
 */
export function queryOf(url: string): Record<string, string> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URL(url).searchParams) {
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query as Record<string, string>
}
