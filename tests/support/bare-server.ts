/** A server that does nothing, to compare with. Prints its address, and ends with its standard input. */
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('') })
console.log(server.url.origin)
await Bun.stdin.text()
process.exit()

export {}
