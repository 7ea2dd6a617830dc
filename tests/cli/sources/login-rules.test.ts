import { expect, test } from 'bun:test'
import { type GivenLogins, loginsFor } from '../../../server/cli/sources/source-logins.ts'
import { OriginHeaders } from '../../../server/fetching/headers/origin-headers.ts'
import { parseSourceUrl } from '../../../server/fetching/source-url.ts'

const LIST = ['http://data.test:8080/a', 'https://data.test/b', 'https://other.test/c']

test('a login of a .netrc goes to the origins of the list, and by https alone to a host of a redirect', () => {
  const netrc = [login('data.test', 'data'), login('sign-in.test', 'in')]
  const sent = (url: string) => sentTo(url, { netrc }).authorization ?? null
  expect(sent('http://data.test:8080/')).toBe(basic('data'))
  expect(sent('https://data.test/')).toBe(basic('data'))
  expect(sent('https://sign-in.test/')).toBe(basic('in'))
  for (const elsewhere of [
    'http://data.test/',
    'https://data.test:8443/',
    'http://sign-in.test/',
    'https://www.sign-in.test/',
    'https://other.test/',
  ])
    expect([elsewhere, sent(elsewhere)]).toEqual([elsewhere, null])
})

test('the default of a .netrc is for the hosts of the list that it does not name', () => {
  const netrc = [login('data.test', 'data'), login(null, 'rest')]
  const sent = (url: string) => sentTo(url, { netrc }).authorization ?? null
  expect(sent('https://data.test/')).toBe(basic('data'))
  expect(sent('https://other.test/')).toBe(basic('rest'))
  expect(sent('https://elsewhere.test/')).toBeNull()
})

test('a copied command goes before -H, and -H before a .netrc', () => {
  const headers = [{ name: 'authorization', value: 'of -H' }]
  const commands = [{ urls: ['https://data.test/b'], headers: [{ name: 'Authorization', value: 'copied' }] }]
  const given = { headers, commands, netrc: [login('data.test', 'data')] }
  expect(sentTo('https://data.test/b', given).authorization).toBe('copied')
  expect(sentTo('https://data.test/x', given).authorization).toBe('of -H')
})

function login(host: string | null, username: string) {
  return { host, username, password: 'pw' }
}

function basic(username: string): string {
  return `Basic ${btoa(`${username}:pw`)}`
}

function sentTo(url: string, given: Partial<GivenLogins>): Record<string, string> {
  const sources = LIST.map((each) => ({ url: each, filename: null }))
  const { originRules, cookies } = loginsFor(sources, {
    commands: [],
    headers: [],
    cookies: [],
    netrc: [],
    ...given,
  })
  const hop = parseSourceUrl(url)
  const headers = new OriginHeaders(originRules, { cookies }).for(hop, hop, 0)
  return Object.fromEntries(headers.map(({ name, value }) => [name, value]))
}
