/** Takes a transient lock so often, and tells how often nobody else was inside: `locker.ts PATH TIMES`. */
import { closeSync, openSync, rmSync } from 'node:fs'
import { lockTransientFile } from '../../server/db/file-lock.ts'

const [path = '', times = ''] = process.argv.slice(2)
let alone = 0
for (let taken = 0; taken < Number(times); ) {
  using lock = lockTransientFile(path)
  if (lock === null) continue
  taken++
  try {
    closeSync(openSync(`${path}.inside`, 'wx'))
    alone++
    Bun.sleepSync(1)
    rmSync(`${path}.inside`)
  } catch {
    // Somebody else is inside.
  }
}
console.log(`${alone} alone`)
