import { Database as Sqlite } from 'bun:sqlite'
import { expect } from 'bun:test'
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite'

/** The steps that SQLite takes for the statements that `work` sends to the database of a file. */
export function plansOf(path: string, work: (orm: BunSQLiteDatabase) => unknown): string[] {
  const sent: { text: string; parameters: unknown[] }[] = []
  const logger = { logQuery: (text: string, parameters: unknown[]) => sent.push({ text, parameters }) }
  using client = new Sqlite(path, { strict: true })
  work(drizzle({ client, logger }))
  expect(sent.length).toBeGreaterThan(0)
  // On a connection of its own: in Bun an EXPLAIN keeps its connection at what it read at that moment.
  using explainer = new Sqlite(path, { readonly: true })
  return sent.flatMap(({ text, parameters }) => {
    expect(text).not.toMatch(/\boffset\b/i)
    const values = parameters.map((value) => (typeof value === 'number' ? value : String(value)))
    const rows: { detail: string }[] = explainer
      .query<{ detail: string }, (string | number)[]>(`EXPLAIN QUERY PLAN ${text}`)
      .all(...values)
    return rows.map(({ detail }) => detail)
  })
}
