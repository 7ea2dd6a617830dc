/** `lock-contender.ts PATH COUNT`: takes a transient lock COUNT times, and prints how often no other process had it. */
import { closeSync, openSync, rmSync } from 'node:fs'
import { lockTransientFile } from '../../server/data/file-lock.ts'

const [path = '', count = ''] = process.argv.slice(2)
let exclusive = 0
for (let locked = 0; locked < Number(count); ) {
  using lock = lockTransientFile(path)
  if (lock === null) continue
  locked++
  try {
    closeSync(openSync(`${path}.locked`, 'wx'))
    exclusive++
    Bun.sleepSync(1)
    rmSync(`${path}.locked`)
  } catch {
    // Another process has the lock, too.
  }
}
console.log(`${exclusive} exclusive`)
