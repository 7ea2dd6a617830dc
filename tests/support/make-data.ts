import { openAccountStore } from '../../server/accounts/account-store.ts'
import { dataPaths, openDataDir } from '../../server/data/data-dir.ts'
import { closeAsOneFile } from '../../server/db/close-as-one-file.ts'
import { openDatabase } from '../../server/db/open.ts'
import { PROGRAM_FILES } from './service.ts'

/** Makes a data directory as a first start does, for a test that needs no service. @returns its path */
export function makeData(dataDir: string): string {
  openDataDir(dataDir, null)
  const db = openDatabase(dataPaths(dataDir).database, PROGRAM_FILES.migrationsDir)
  openAccountStore(db).owner(0)
  // This process keeps a closed database open for a while, with its journal.
  closeAsOneFile(db)
  return dataDir
}
