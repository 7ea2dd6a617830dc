import { Database as Sqlite } from 'bun:sqlite'

/**
 * The archive directory that a database records (`instance`), without changing the database. Null when it records none, or can't be read.
 */
export function readArchivesDir(path: string): string | null {
  try {
    using sqlite = new Sqlite(path, { readonly: true, strict: true })
    const row = sqlite
      .query<{ archivesDir: string | null }, []>('SELECT archives_dir AS archivesDir FROM instance')
      .get()
    return row?.archivesDir ?? null
  } catch {
    return null
  }
}
