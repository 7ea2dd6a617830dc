import { describe, expect, test } from 'bun:test'
import { headerNameIssue, headerValueIssue } from '../../../server/fetching/headers/allowed-headers.ts'
import { type Cookie, joinCookies } from '../../../server/fetching/headers/cookies.ts'
import {
  hasSubdomains,
  type LoginOutcome,
  OriginHeaders,
  type OriginRule,
  parseOrigin,
} from '../../../server/fetching/headers/origin-headers.ts'
import { parseSourceUrl } from '../../../server/fetching/source-url.ts'
import { reusedEntries, sourcesWithBase } from '../../support/base.ts'
import { fetched } from '../../support/fetched.ts'
import { forFile } from '../../support/for-file.ts'
import { startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const origin = forFile(await startOrigin('0.0.0.0'))
const otherPort = forFile(await startOrigin())

describe('an origin gets its headers', () => {
  test.each([
    ['its own URLs', 'https://example.org/a?b', true],
    ['its own URLs with the port of the scheme', 'https://example.org:443/', true],
    ['its own URLs, in upper case', 'HTTPS://EXAMPLE.ORG/', true],
    ['not without TLS', 'http://example.org/', false],
    ['not without TLS at its port', 'http://example.org:443/', false],
    ['not at another port', 'https://example.org:8443/', false],
    ['not a subdomain', 'https://www.example.org/', false],
    ['not a parent domain', 'https://org/', false],
    ['not a host that only ends like it', 'https://badexample.org/', false],
    ['not a host that begins like it', 'https://example.org.example.net/', false],
    ['not a host that is named in the user information', 'https://example.org@example.net/', false],
  ])('%s', (_, url, isGiven) => {
    expect(sentTo(url, [[rule('https://example.org', { a: 'b' })]])).toEqual(isGiven ? { a: 'b' } : {})
  })

  test.each([
    ['a subdomain', 'https://a.b.example.org/', true],
    ['itself', 'https://example.org/', true],
    ['not a host that only ends like it', 'https://badexample.org/', false],
    ['not a subdomain without TLS', 'http://www.example.org/', false],
    ['not a subdomain at another port', 'https://www.example.org:444/', false],
  ])('with subdomains: %s', (_, url, isGiven) => {
    const rules = [[{ ...rule('https://example.org', { a: 'b' }), includeSubdomains: true }]]
    expect(sentTo(url, rules)).toEqual(isGiven ? { a: 'b' } : {})
  })

  test('an address and a top-level domain have no subdomains', () => {
    const origins = ['https://org', 'http://10.0.0.1', 'http://[::1]', 'https://org.', 'https://example.org']
    expect(origins.map(hasSubdomains)).toEqual([false, false, false, false, true])
  })
})

describe('for one hop each header name comes once', () => {
  test("the job's go before the user's, and these before shared ones", () => {
    const rules = [
      [rule('https://a.org', { X: 'job' })],
      [rule('https://a.org', { x: 'user', y: 'user' })],
      [rule('https://a.org', { x: 'shared', y: 'shared', z: 'shared' })],
    ]
    expect(sentTo('https://a.org/', rules)).toEqual({ x: 'job', y: 'user', z: 'shared' })
  })

  test('the exact origin before a domain that includes it, then the newest', () => {
    const ofDomain = { ...rule('https://a.org', { x: 'domain', y: 'domain' }), includeSubdomains: true }
    const rules = [
      [ofDomain, rule('https://b.a.org', { x: 'newer' }), rule('https://b.a.org', { x: 'older' })],
    ]
    expect(sentTo('https://b.a.org/', rules)).toEqual({ x: 'newer', y: 'domain' })
  })
})

test.each([
  ['https://Example.org', 'https://example.org'],
  ['https://example.org:443/', 'https://example.org'],
  ['http://example.org:8080', 'http://example.org:8080'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://[::1]:80', 'http://[::1]'],
  ['https://example.org/path', null],
  ['https://example.org/?', null],
  ['https://example.org/?q', null],
  ['https://example.org/#', null],
  ['https://user@example.org', null],
  ['https://@example.org', null],
  ['https://*.example.org', null],
  ['ftp://example.org', null],
  ['example.org', null],
  ['', null],
])('the origin of %p is %p', (text, expected) => {
  expect(parseOrigin(text)).toBe(expected)
})

test.each([
  ['Authorization', true],
  ['X-Api-Key', true],
  ['Cookie', true],
  ['User-Agent', true],
  ['Tea', true],
  ['HOST', false],
  ['content-length', false],
  ['Transfer-Encoding', false],
  ['connection', false],
  ['Upgrade', false],
  ['te', false],
  ['Trailer', false],
  ['Keep-Alive', false],
  ['Expect', false],
  ['Range', false],
  ['If-None-Match', false],
  ['if-range', false],
  ['Accept-Encoding', false],
  ['Proxy-Authorization', false],
  ['a b', false],
  ['', false],
  ['a\r\nb', false],
  ['ä', false],
])('%p may be given: %p', (name, isAllowed) => {
  expect(headerNameIssue(name) === null).toBe(isAllowed)
})

test.each([
  ['Bearer abc', true],
  ['', true],
  ['a\r\nHost: b', false],
  ['a\nb', false],
  ['a\0b', false],
  ['a\tb', false],
  ['\x7f', false],
  ['ü', false],
])('the value %p may be given: %p', (value, isAllowed) => {
  expect(headerValueIssue(value) === null).toBe(isAllowed)
})

test.each([
  [null, null, null],
  ['a=1; b=2', null, 'a=1; b=2'],
  [null, 'c=3', 'c=3'],
  ['a=1; b=2', 'c=3', 'a=1; b=2; c=3'],
  ['a=1; b=2', 'a=9', 'b=2; a=9'],
  ['a=1;;', 'c=3', 'a=1; c=3'],
])('saved cookies %p and %p from the way are sent as %p', (saved, onTheWay, expected) => {
  expect(joinCookies(saved, onTheWay)).toBe(expected)
})

describe('on each hop of a fetch', () => {
  const HEADERS = { Authorization: 'Bearer secret', 'X-Key': 'key', 'User-Agent': 'Mine' }
  const originRules = () => [[rule(origin.url(''), HEADERS)]]

  test.concurrent('the own origin gets them, also after a redirect', async () => {
    await fetched(origin.url('/redirect/2?to=/ok/own'), { order: { originRules: originRules() } })
    const [request] = origin.requests('/ok/own')
    expect([
      ...'authorization x-key user-agent'.split(' ').map((name) => request?.headers.get(name)),
    ]).toEqual(['Bearer secret', 'key', 'Mine'])
  })

  test.concurrent.each([
    ['another host', () => origin.urlAtHost(2, '/ok/other-host'), () => origin.requests('/ok/other-host')],
    [
      'the same host at another port',
      () => otherPort.url('/ok/other-port'),
      () => otherPort.requests('/ok/other-port'),
    ],
    [
      'the same address by another name',
      () => origin.url('/ok/other-name').replace('127.0.0.1', 'localhost'),
      () => origin.requests('/ok/other-name'),
    ],
  ])('%s does not', async (_, to, requests) => {
    await fetched(origin.url(`/redirect/1?${new URLSearchParams({ to: to() })}`), {
      order: { originRules: originRules() },
    })
    expect(requests().map(({ headers }) => [headers.get('authorization'), headers.get('x-key')])).toEqual([
      [null, null],
    ])
  })

  test.concurrent('an origin gets them again when another one leads back', async () => {
    const wayBack = `/redirect/1?${new URLSearchParams({ to: origin.url('/ok/back') })}`
    const back = otherPort.url(wayBack)
    await fetched(origin.url(`/redirect/1?${new URLSearchParams({ to: back })}`), {
      order: { originRules: originRules() },
    })
    expect(origin.requests('/ok/back').map(({ headers }) => headers.get('x-key'))).toEqual(['key'])
    expect(otherPort.requests(wayBack).map(({ headers }) => headers.get('x-key'))).toEqual([null])
  })

  test.concurrent('user:password@ of the URL goes before Authorization', async () => {
    const url = origin.url('/ok/basic').replace('//', '//user:password@')
    await fetched(url, { order: { originRules: originRules() } })
    const [request] = origin.requests('/ok/basic')
    expect(request?.headers.get('authorization')).toBe(`Basic ${btoa('user:password')}`)
    expect(request?.headers.get('x-key')).toBe('key')
  })

  test.concurrent('cookies that were set on the way join Cookie', async () => {
    const query = new URLSearchParams([
      ['to', '/ok/joined'],
      ['cookie', 'way=1; Path=/'],
      ['cookie', 'session=new; Path=/'],
    ])
    const rules = [[rule(origin.url(''), { Cookie: 'session=old; saved=2' })]]
    await fetched(origin.url(`/set-cookies?${query}`), { order: { originRules: rules } })
    expect(origin.requests(`/set-cookies?${query}`)[0]?.headers.get('cookie')).toBe('session=old; saved=2')
    expect(origin.requests('/ok/joined')[0]?.headers.get('cookie')).toBe('saved=2; way=1; session=new')
  })

  test.concurrent('further attempts and resumed bodies have them', async () => {
    const path = '/bytes/600000/resumed?cut_at=300000&times=1'
    await fetched(origin.url(path), { order: { originRules: originRules() } })
    const requests = origin.requests(path).map(({ headers }) => [headers.get('range'), headers.get('x-key')])
    expect(requests).toEqual([
      [null, 'key'],
      ['bytes=300000-', 'key'],
    ])
  })

  test.concurrent('parts of a large body have them, and nothing on the way to it', async () => {
    const path = '/bytes/8000000/parts.bin?bytes_per_second=1500000'
    const away = `/redirect/1?${new URLSearchParams({ to: origin.url(path) })}`
    await fetched(otherPort.url(away), { order: { originRules: originRules() } })
    const keys = origin.requests(path).map((request) => request.headers.get('x-key'))
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys)).toEqual(new Set(['key']))
    expect(otherPort.requests(away).map((request) => request.headers.get('x-key'))).toEqual([null])
  })

  test.concurrent('conditional requests of a base have them', async () => {
    using dir = tempDir()
    const path = '/bytes/5000/conditional'
    const earlier = testJob(dir.file('earlier.zip'), [origin.url(path)])
    const outcome = await earlier.run({ order: { originRules: originRules() } })
    const later = testJob(dir.file('later.zip'), [])
    await later.run({
      order: {
        originRules: originRules(),
        sources: sourcesWithBase([origin.url(path)], earlier, outcome),
        base: { path: earlier.archivePath, link: null, reuse: 'unchanged', keepFrom: null },
      },
    })
    const [, conditional] = origin.requests(path)
    expect([conditional?.headers.has('if-none-match'), conditional?.headers.get('x-key')]).toEqual([
      true,
      'key',
    ])
    expect(reusedEntries(later)).toHaveLength(1)
    expect(await readZip(later.archivePath)).toHaveLength(1)
  })
})

describe('headers for one source', () => {
  const rules = [
    [
      { ...rule('https://a.org', { X: 'one' }), source: 'https://a.org/1' },
      { ...rule('https://a.org', { X: 'two', Y: 'two' }), source: 'HTTPS://a.org:443/2' },
      rule('https://a.org', { X: 'all', Z: 'all' }),
    ],
  ]

  test('go before those for all sources of its origin, and to no other source', () => {
    expect(sentTo('https://a.org/1', rules)).toEqual({ x: 'one', z: 'all' })
    expect(sentTo('https://a.org/2', rules)).toEqual({ x: 'two', y: 'two', z: 'all' })
    expect(sentTo('https://a.org/3', rules)).toEqual({ x: 'all', z: 'all' })
  })

  test('go to the redirects of the source in its origin, and to none of another', () => {
    expect(sentTo('https://a.org/3', rules, { source: 'https://a.org/1' })).toEqual({ x: 'one', z: 'all' })
    expect(sentTo('http://a.org/1', rules, { source: 'https://a.org/1' })).toEqual({})
    expect(sentTo('https://b.org/1', rules, { source: 'https://a.org/1' })).toEqual({})
  })
})

describe('saved cookies', () => {
  const cookie = (name: string, more: Partial<Cookie> = {}): Cookie => ({
    name,
    value: '1',
    domain: 'a.org',
    isHostOnly: false,
    path: '/',
    isSecure: false,
    expiresMs: Infinity,
    ...more,
  })

  test.each([
    ['their domain', 'http://a.org/', {}, true],
    ['another port, since cookies know none', 'http://a.org:8080/', {}, true],
    ['a subdomain', 'http://b.a.org/', {}, true],
    ['not a subdomain, for the host alone', 'http://b.a.org/', { isHostOnly: true }, false],
    ['not the domain above', 'http://org/', {}, false],
    ['not a host that ends like it', 'http://ba.org/', {}, false],
    ['a path below', 'http://a.org/x/y', { path: '/x' }, true],
    ['not a path that begins like it', 'http://a.org/xy', { path: '/x' }, false],
    ['TLS', 'https://a.org/', { isSecure: true }, true],
    ['not without TLS', 'http://a.org/', { isSecure: true }, false],
    ['until they expire', 'http://a.org/', { expiresMs: 1001 }, true],
    ['not after that', 'http://a.org/', { expiresMs: 1000 }, false],
    ['an address', 'http://127.0.0.1/', { domain: '127.0.0.1' }, true],
    ['not an address that ends like another', 'http://127.0.0.1/', { domain: '0.1' }, false],
  ])('go to %s', (_, url, more, isSent) => {
    const sent = sentTo(url, [], { cookies: [cookie('a', more)], nowMs: 1000 })
    expect(sent).toEqual(isSent ? { cookie: 'a=1' } : {})
  })

  test('join those of a rule, which replace saved ones of the same name; longer paths come first', () => {
    const cookies = [cookie('a'), cookie('b'), cookie('c', { path: '/x' })]
    const rules = [[rule('http://a.org', { Cookie: 'b=rule' })]]
    expect(sentTo('http://a.org/x', rules, { cookies })).toEqual({ cookie: 'c=1; a=1; b=rule' })
  })

  test('are sent again on each hop, and one that is set on the way replaces its namesake', async () => {
    const cookies = [cookie('a', { domain: '127.0.0.1' }), cookie('b', { domain: '127.0.0.1' })]
    const query = new URLSearchParams({ to: '/ok/cookies', cookie: 'a=new; Path=/' })
    await fetched(origin.url(`/set-cookies?${query}`), { order: { cookies } })
    expect(origin.requests(`/set-cookies?${query}`)[0]?.headers.get('cookie')).toBe('a=1; b=1')
    expect(origin.requests('/ok/cookies').at(-1)?.headers.get('cookie')).toBe('b=1; a=new')
  })
})

describe('a source answers to a saved login', () => {
  const login = { id: 'id', name: 'Wiki' }

  test('each outcome is reported once, a refusal after an acceptance too, and not the other way round', () => {
    const seen: LoginOutcome[] = []
    const headers = new OriginHeaders([[{ ...rule('https://a.org', { a: 'b' }), login }]], {
      onOutcome: (_, outcome) => seen.push(outcome),
    })
    const url = parseSourceUrl('https://a.org/')
    const given = headers.for(url, url, 0)
    for (const status of [302, 302, 200, 304, 401, 403, 200]) headers.answered(given, status)
    expect(seen).toEqual(['used', 'accepted', 'refused'])
  })

  test('headers that are not saved report nothing', () => {
    const headers = new OriginHeaders([[rule('https://a.org', { a: 'b' })]], {
      onOutcome: () => expect.unreachable(),
    })
    const url = parseSourceUrl('https://a.org/')
    headers.answered(headers.for(url, url, 0), 401)
  })
})

function rule(from: string, headers: Readonly<Record<string, string>>): OriginRule {
  return {
    origin: from,
    includeSubdomains: false,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    login: null,
  }
}

function sentTo(
  url: string,
  rules: ConstructorParameters<typeof OriginHeaders>[0],
  { source = url, cookies = [], nowMs = 0 }: { source?: string; cookies?: Cookie[]; nowMs?: number } = {},
) {
  const given = new OriginHeaders(rules, { cookies }).for(parseSourceUrl(url), parseSourceUrl(source), nowMs)
  return Object.fromEntries(given.map(({ name, value }) => [name, value]))
}
