import { type SQLQueryBindings, Database as Sqlite } from 'bun:sqlite'
import { expect } from 'bun:test'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Database, Statement, StatementParameters } from '../../server/db/open.ts'

/** The query plans of all statements that `work` sends to the database in a file. */
export function plansOf(
  path: string,
  work: (connection: Pick<Database, 'orm' | 'prepare'>) => unknown,
): string[] {
  const sent: { text: string; parameters: SQLQueryBindings[] }[] = []
  using client = new Sqlite(path, { strict: true })
  const orm = drizzle({
    client,
    logger: {
      logQuery: (text, parameters) =>
        sent.push({
          text,
          parameters: parameters.map((value) => (typeof value === 'number' ? value : String(value))),
        }),
    },
  })
  work({
    orm,
    prepare: (text) => recorded(client, text, (given) => sent.push({ text, parameters: [given] })),
  })
  expect(sent.length).toBeGreaterThan(0)
  // Needs a separate connection, because in Bun an EXPLAIN keeps its connection at an old state of the database.
  using explainer = new Sqlite(path, { readonly: true, strict: true })
  return sent.flatMap(({ text, parameters }) => {
    expect(text).not.toMatch(/\boffset\b/i)
    return explainer
      .query<{ detail: string }, SQLQueryBindings[]>(`EXPLAIN QUERY PLAN ${text}`)
      .all(...parameters)
      .map(({ detail }) => detail)
  })
}

/** A statement that reports the parameters of each execution. */
function recorded<Row, Parameters extends StatementParameters>(
  client: Sqlite,
  text: string,
  sent: (parameters: Parameters) => void,
): Statement<Row, Parameters> {
  const statement: Statement<Row, Parameters> = client.prepare(text)
  const send = (parameters: Parameters) => {
    sent(parameters)
    return parameters
  }
  return {
    get: (parameters) => statement.get(send(parameters)),
    all: (parameters) => statement.all(send(parameters)),
    run: (parameters) => statement.run(send(parameters)),
  }
}
