import { expect, test } from 'bun:test'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openJobQueries } from '../../server/jobs/reading/query-store.ts'
import { searchJobs } from '../../server/jobs/reading/search.ts'
import { forFile } from '../support/for-file.ts'
import { createShort, jobToCreate } from '../support/job-to-create.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const JOBS = 10
const URLS = 100
const URL_CHARACTERS = 8_192

const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
const accounts = openAccountStore(db)
const queries = openJobQueries(db)

/** Creates a user with jobs of the longest URLs, each of which consists of a text that is repeated. */
function createJobs(text: string, last = ''): string {
  const userId = accounts.createUser(crypto.randomUUID(), 'pro', 0)?.id ?? ''
  const transitions = openTransitions(db)
  for (let made = 0; made < JOBS; made++) {
    const urls = Array.from({ length: URLS }, (_, index) =>
      `http://127.0.0.1:9/${index}/`.padEnd(URL_CHARACTERS - last.length, text),
    )
    const sources = urls.map((url, index) => ({ url: index === URLS - 1 ? url + last : url, filename: null }))
    createShort(transitions, jobToCreate({ userId, createdAt: made }), sources)
  }
  return userId
}

test.each([
  ['differs from every part of the URLs in its last character', 'a', `${'a'.repeat(254)}b`],
  ['differs in its first character', 'a', `b${'a'.repeat(254)}`],
  ['has the same letters in another order', 'ac', `${'ac'.repeat(126)}bb`],
  ['consists of pairs of code units', '😀', `${'😀'.repeat(127)}😁${'😀'.repeat(127)}`],
])(
  'A text that %s is compared with the longest URLs in short turns, and in little time',
  async (_how, repeated, searched) => {
    const userId = createJobs(repeated)
    let turns = 0
    let usedMs = 0
    let begunAt = process.cpuUsage()
    const nextTurn = async () => {
      const { user, system } = process.cpuUsage(begunAt)
      usedMs += (user + system) / 1_000
      turns++
      begunAt = process.cpuUsage()
    }
    const { jobs } = await searchJobs(
      queries,
      userId,
      { text: searched, filter: null, cursor: null, limit: 100 },
      nextTurn,
    )
    await nextTurn()
    expect(jobs).toEqual([])
    const megabytes = (JOBS * URLS * URL_CHARACTERS) / 1_000_000
    expect(turns).toBeGreaterThan(megabytes)
    // Anyone may search, and others wait meanwhile. About a nanosecond per byte, of which a character has up to four. `LIKE` needs half a
    // microsecond.
    expect(usedMs).toBeLessThan(megabytes * 40)
  },
)

test('A text is found in the last URL of a job, ignoring the case of ASCII letters', async () => {
  const userId = createJobs('x', 'Ümlaut-AND-more')
  const find = async (text: string) => {
    const page = await searchJobs(
      queries,
      userId,
      { text, filter: null, cursor: null, limit: 100 },
      async () => {},
    )
    return page.jobs.length
  }
  expect(await find('mlaut-and-MORE')).toBe(JOBS)
  expect(await find('Ümlaut-and')).toBe(JOBS)
  expect(await find('ümlaut-and')).toBe(0)
  // Parts of two URLs are no part of one.
  expect(await find('xhttp')).toBe(0)
})
