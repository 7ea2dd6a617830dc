/** Resolves the names of its arguments without a hosts file, and prints a line for each; in a process of its own. */
import { resolveHost } from '../../server/fetching/resolve-host.ts'

const { signal } = new AbortController()
for (const name of process.argv.slice(2)) {
  const answer = await resolveHost(name, signal, { hostsPath: '/dev/null/none' }).then(
    (addresses) => addresses.join(),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  console.log(`${name} ${answer}`)
}
