/** What the stores call of a prepared statement, be it Drizzle's or SQLite's. */
interface Prepared {
  get(...parameters: never[]): unknown
  all(...parameters: never[]): unknown
  run(...parameters: never[]): unknown
}

/**
 * Builds and prepares a query when it is used first. A start and a command use few of the queries. Preparing every query at each
 * start would make it a sixth longer.
 */
export function prepareLater<Statement extends Prepared>(prepare: () => Statement) {
  let prepared: Statement | undefined
  const statement = () => {
    prepared ??= prepare()
    return prepared
  }
  return {
    get: (...parameters: Parameters<Statement['get']>) =>
      statement().get(...parameters) as ReturnType<Statement['get']>,
    all: (...parameters: Parameters<Statement['all']>) =>
      statement().all(...parameters) as ReturnType<Statement['all']>,
    run: (...parameters: Parameters<Statement['run']>) =>
      statement().run(...parameters) as ReturnType<Statement['run']>,
  }
}
