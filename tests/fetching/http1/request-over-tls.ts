/** `request-over-tls.ts HOST NAME [CA]...`: sends a request under a name, and prints the status or the failure. */
import { readFileSync } from 'node:fs'
import { Http1Client } from '../../../server/fetching/http1/client.ts'
import { requestOnce } from './request-once.ts'

const [host = '', serverName = '', ...ca] = process.argv.slice(2)
using client = new Http1Client({ ca: ca.map((path) => readFileSync(path, 'utf8')) })
try {
  const { status } = await requestOnce(client, host, { isSecure: true, serverName, target: '/length/5' })
  console.log(status)
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}
