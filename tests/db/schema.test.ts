import { Database as Sqlite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { migrate } from '../../server/db/migrate.ts'
import * as notifierSchema from '../../server/db/notifier-schema.ts'
import { openDatabase } from '../../server/db/open.ts'
import * as scheduleSchema from '../../server/db/schedule-schema.ts'
import * as schema from '../../server/db/schema.ts'
import * as siteSchema from '../../server/db/site-schema.ts'
import { forFile } from '../support/for-file.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const TABLES = Object.values({ ...schema, ...notifierSchema, ...scheduleSchema, ...siteSchema })
  .filter((each) => each instanceof SQLiteTable)
  .map((table) => getTableConfig(table))

/** Tables that are always read by their primary key or its first columns. */
const WITHOUT_ROWID = ['entries', 'job_counts', 'schedule_sources', 'sources', 'usage_hours']

const dir = forFile(tempDir())
openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)[Symbol.dispose]()
const sqlite = forFile(new Sqlite(dir.file('holdall.db'), { readonly: true, strict: true }))

describe('A new database', () => {
  test('has an identity of its own', () => {
    using other = new Sqlite(':memory:', { strict: true })
    migrate(other, PROGRAM_FILES.migrationsDir)
    const [id, otherId] = [sqlite, other].map(
      (each) => each.query('SELECT id FROM instance').values()[0]?.[0],
    )
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(otherId).toMatch(/^[0-9a-f]{32}$/)
    expect(otherId).not.toBe(id)
  })
})

/** A migration that rebuilds a table loses every trigger, index and constraint that it does not create again. */
describe('After all migrations the database', () => {
  test('has the tables of schema.ts', () => {
    const tables = names("type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '__drizzle_migrations'")
    expect(tables).toEqual(TABLES.map(({ name }) => name).toSorted())
  })

  test('has exactly these triggers', () => {
    const triggers = sqlite
      .query<{ name: string; table: string }, []>(
        `SELECT name, tbl_name AS "table" FROM sqlite_master WHERE type = 'trigger' ORDER BY name`,
      )
      .all()
    expect(triggers.map(({ name, table }) => `${name} on ${table}`)).toEqual([
      'count_begun_retention on retention_periods',
      'count_bytes_of_begun_retention on retention_periods',
      'count_bytes_of_changed_job on jobs',
      'count_bytes_of_changed_schedule on schedules',
      'count_bytes_of_changed_site on sites',
      'count_bytes_of_created_event on notifier_events',
      'count_bytes_of_created_job on jobs',
      'count_bytes_of_created_schedule on schedules',
      'count_bytes_of_created_site on sites',
      'count_bytes_of_deleted_event on notifier_events',
      'count_bytes_of_deleted_job on jobs',
      'count_bytes_of_deleted_retention on retention_periods',
      'count_bytes_of_deleted_schedule on schedules',
      'count_bytes_of_deleted_site on sites',
      'count_changed_job on jobs',
      'count_created_job on jobs',
      'count_deleted_job on jobs',
      'count_shortened_retention on retention_periods',
      'delete_details_of_deleted_job on jobs',
      'delete_files_of_deleted_job on jobs',
      'delete_files_of_swept_job on jobs',
      'delete_logins_without_details on jobs',
      'delete_object_of_deleted_job on jobs',
      'delete_object_of_swept_job on jobs',
      'delete_parts_of_deleted_schedule on schedules',
      'delete_replaced_object on jobs',
      'forget_headers_of_completed_job on jobs',
    ])
  })

  test.each(TABLES)(
    'has table $name as STRICT, and as WITHOUT ROWID if its rows are read only by their key',
    ({ name }) => {
      expect(
        sqlite.query('SELECT strict, wr AS withoutRowid FROM pragma_table_list WHERE name = ?').get(name),
      ).toEqual({ strict: 1, withoutRowid: Number(WITHOUT_ROWID.includes(name)) })
    },
  )

  test.each(TABLES)('has the columns of schema.ts in table $name', (table) => {
    const inPrimaryKey = new Set(table.primaryKeys.flatMap(({ columns }) => columns.map(({ name }) => name)))
    const declared = table.columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      isNotNull: Number(column.notNull),
      isInPrimaryKey: Number(column.primary || inPrimaryKey.has(column.name)),
    }))
    const found = sqlite
      .query(
        `SELECT name, lower(type) AS type, "notnull" AS isNotNull, pk > 0 AS isInPrimaryKey FROM pragma_table_info(?)
         ORDER BY name`,
      )
      .all(table.name)
    expect(found).toEqual(declared.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  })

  test.each(TABLES)('has the indexes of schema.ts on table $name', (table) => {
    const declared = [
      ...table.indexes.map(({ config: { name, columns, where } }) =>
        indexText(
          name,
          columns.map((column) => ('name' in column ? String(column.name) : '')),
          where !== undefined,
        ),
      ),
      ...table.columns
        .filter(({ isUnique }) => isUnique)
        .map(({ name, uniqueName = '' }) => indexText(uniqueName, [name], false)),
    ]
    const found = sqlite
      .query<{ name: string; columns: string; partial: number }, [string]>(
        `SELECT list.name, group_concat(coalesce(info.name, '') ORDER BY info.seqno) AS columns, list.partial
         FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
         WHERE list.origin = 'c' GROUP BY list.name`,
      )
      .all(table.name)
      .map(({ name, columns, partial }) => indexText(name, columns.split(','), partial === 1))
    expect(found.toSorted()).toEqual(declared.toSorted())
  })

  test.each(TABLES)('has the foreign keys of schema.ts in table $name, which all cascade', (table) => {
    const declared = table.foreignKeys.map((key) => {
      const { columns, foreignTable, foreignColumns } = key.reference()
      return columns.map(
        (column, index) =>
          `${column.name} -> ${getTableConfig(foreignTable).name}.${foreignColumns[index]?.name} ${key.onDelete}`,
      )
    })
    const found = sqlite
      .query<{ key: string }, [string]>(
        `SELECT "from" || ' -> ' || "table" || '.' || "to" || ' ' || lower(on_delete) AS key FROM pragma_foreign_key_list(?)`,
      )
      .all(table.name)
      .map(({ key }) => key)
    expect(found.toSorted()).toEqual(declared.flat().toSorted())
    expect(found.filter((key) => !key.endsWith(' cascade'))).toEqual([])
  })
})

function indexText(name: string, columns: readonly string[], isPartial: boolean): string {
  return `${name} (${columns.join(', ')})${isPartial ? ' WHERE' : ''}`
}

function names(where: string): string[] {
  const rows = sqlite
    .query<{ name: string }, []>(`SELECT name FROM sqlite_master WHERE ${where} ORDER BY name`)
    .all()
  return rows.map(({ name }) => name)
}
