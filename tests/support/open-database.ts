/** `open-database.ts PATH MIGRATIONS`: prints a line, waits for the end of its standard input, and opens the database. */
import { openDatabase } from '../../server/db/open.ts'

const [path = '', migrationsDir = ''] = process.argv.slice(2)
console.log('ready')
await Bun.stdin.text()
openDatabase(path, migrationsDir)[Symbol.dispose]()
