import { expect, test } from 'bun:test'
import { pinnedRequest } from '../../server/fetching/request.ts'
import { parseSourceUrl } from '../../server/fetching/source-url.ts'

test('each request has the Host of its own URL and its own headers', async () => {
  await using origin = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ headers }) => Response.json([headers.get('host'), headers.get('range'), headers.get('accept')]),
  })
  const received = async (name: string, headers: Record<string, string>) => {
    const url = parseSourceUrl(`http://${name}:${origin.port}/`)
    const { signal } = new AbortController()
    const request = pinnedRequest(url, '127.0.0.1', headers, signal)
    return await (await fetch(request.url, request.options)).json()
  }
  const range = 'bytes=3-'
  for (const [name, headers] of [
    ['a.example', {}],
    ['b.example', {}],
    ['b.example', { range }],
    ['b.example', {}],
    ['a.example', { range }],
    ['a.example', {}],
  ] as const)
    expect(await received(name, headers)).toEqual([`${name}:${origin.port}`, headers.range ?? null, '*/*'])
})
