import { Database } from 'bun:sqlite'
import { join } from 'node:path'

/** A run that has begun. */
export interface BegunRun {
  readonly userId: string
  readonly createdAt: number
  readonly status: string
}

/** While the service is stopped: gives each schedule so many copies, and lets all of them be due since a time. */
export function multiplySchedules(dataDir: string, copies: number, dueAt: number): void {
  using db = new Database(join(dataDir, 'holdall.db'))
  const columns = db
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('schedules')")
    .all()
    .map(({ name }) => name)
    .filter((name) => name !== 'id')
    .join(', ')
  const ids = db.query<{ id: string }, []>('SELECT id FROM schedules').all()
  db.transaction(() => {
    for (const { id } of ids) {
      for (let copy = 0; copy < copies; copy++) {
        const copyId = Bun.randomUUIDv7()
        db.run(`INSERT INTO schedules (id, ${columns}) SELECT ?, ${columns} FROM schedules WHERE id = ?`, [
          copyId,
          id,
        ])
        db.run(
          `INSERT INTO schedule_sources (schedule_id, position, url, filename, sha256)
           SELECT ?, position, url, filename, sha256 FROM schedule_sources WHERE schedule_id = ?`,
          [copyId, id],
        )
      }
    }
    db.run('UPDATE schedules SET next_run_at = ?', [dueAt])
  })()
}

/** All runs so far, in the order in which they began. */
export function begunRuns(dataDir: string): BegunRun[] {
  using db = new Database(join(dataDir, 'holdall.db'), { readonly: true })
  return db
    .query<BegunRun, []>(
      `SELECT s.user_id AS userId, r.created_at AS createdAt, r.status FROM schedule_runs r
       JOIN schedules s ON s.id = r.schedule_id ORDER BY r.created_at, r.id`,
    )
    .all()
}
