/** `resolve-once.ts NAME...`: resolves names without the hosts file, and prints one line per name. */
import { resolveHost } from '../../../server/fetching/addresses/resolve-host.ts'

const { signal } = new AbortController()
for (const name of process.argv.slice(2)) {
  const answer = await resolveHost(name, signal, { hostsPath: '/dev/null/none' }).then(
    (addresses) => addresses.join(),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  console.log(`${name} ${answer}`)
}
