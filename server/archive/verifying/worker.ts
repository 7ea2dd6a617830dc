import { LocalArchive } from '../reading/local-archive.ts'
import { NATIVE_CODECS } from '../reading/verify.ts'
import { checkBodies } from './bodies.ts'
import type { FromChecker, ToChecker } from './messages.ts'

/** A thread that checks bodies of one archive, one batch after the other. */
declare const self: Worker

let archive: LocalArchive | null = null
/** The batch that is checked, and those before it. */
let turn = Promise.resolve()

self.onmessage = ({ data }: MessageEvent<ToChecker>) => {
  if (data.type === 'open') archive = LocalArchive.open(data.path)
  else turn = turn.then(() => check(data))
}

async function check({ batchId, batch }: Extract<ToChecker, { readonly type: 'check' }>): Promise<void> {
  const post = (message: FromChecker) => self.postMessage(message)
  let unreported = 0
  const read = (bytes: number) => {
    unreported += bytes
    if (unreported < REPORT_BYTES) return
    post({ type: 'read', batchId, bytes: unreported })
    unreported = 0
  }
  try {
    if (archive === null) throw new Error('the archive can no longer be opened')
    const results = await checkBodies(archive, batch, NATIVE_CODECS, read)
    post({ type: 'read', batchId, bytes: unreported })
    post({ type: 'checked', batchId, results })
  } catch (error) {
    post({ type: 'failed', batchId, message: error instanceof Error ? error.message : String(error) })
  }
}

/** Some twenty messages per second. */
const REPORT_BYTES = 32 * 1024 * 1024
