import { type SQLQueryBindings, Database as Sqlite } from 'bun:sqlite'
import { expect } from 'bun:test'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Database, Query, StatementParameters, Write } from '../../server/db/open.ts'

/** The query plans of all statements that `work` sends to the database in a file. */
export function plansOf(
  path: string,
  work: (connection: Pick<Database, 'orm' | 'prepare' | 'prepareWrite' | 'transaction'>) => unknown,
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
  const prepare = <Row, Parameters extends StatementParameters>(text: string) =>
    recorded<Row, Parameters>(client, text, (given) => sent.push({ text, parameters: [given] }))
  work({
    orm,
    prepare,
    prepareWrite<Row, Parameters extends StatementParameters>(text: string): Write<Row, Parameters> {
      const { get, all, run } = prepare<Row, Parameters>(text)
      return {
        get: (_tx, parameters) => get(parameters),
        all: (_tx, parameters) => all(parameters),
        run: (_tx, parameters) => run(parameters),
      }
    },
    transaction: (change) => orm.transaction(change),
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
): Recorded<Row, Parameters> {
  const statement: Recorded<Row, Parameters> = client.prepare(text)
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

interface Recorded<Row, Parameters> extends Query<Row, Parameters> {
  run(parameters: Parameters): void
}
