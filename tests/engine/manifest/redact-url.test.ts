import { expect, test } from 'bun:test'
import { redactUrl } from '../../../server/engine/manifest/redact-url.ts'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../../support/hostile-input.ts'

test.each([
  'http://example.org/a.pdf',
  'https://EXAMPLE.org:8443/a b/%C3%A4?page=2&x=a;b&flag&empty=',
  'http://[::1]:8080/a?x=1',
])('leaves %s as it was submitted', (url) => {
  expect(redactUrl(url)).toBe(url)
})

test.each([
  ['user information', 'https://user:pw-s3cret@example.org/a?x=1', 'https://example.org/a?x=1'],
  ['... without a password', 'https://s3cret@example.org/a', 'https://example.org/a'],
  ['... with an @ of its own', 'https://user:pw@s3cret@example.org/a', 'https://example.org/a'],
  ['a fragment', 'https://example.org/a?x=1#access_token=s3cret', 'https://example.org/a?x=1'],
  [
    'a signature',
    'https://b.example/a?X-Amz-Date=20260101T000000Z&X-Amz-Signature=s3cret&X-Amz-Credential=s3cret%2Fx',
    'https://b.example/a?X-Amz-Date=20260101T000000Z&X-Amz-Signature=REDACTED&X-Amz-Credential=REDACTED',
  ],
  [
    'names in any case',
    'https://b.example/a?TOKEN=s3cret&apiKey=s3cret&client_Secret=s3cret&PassWord=s3cret&oAuth=s3cret&sessionid=s3cret',
    'https://b.example/a?TOKEN=REDACTED&apiKey=REDACTED&client_Secret=REDACTED&PassWord=REDACTED&oAuth=REDACTED&sessionid=REDACTED',
  ],
  ['encoded names', 'http://x.example/?%74oken=s3cret', 'http://x.example/?%74oken=REDACTED'],
  ['names encoded twice', 'http://x.example/?%2574oken=s3cret', 'http://x.example/?%2574oken=REDACTED'],
  ['pairs after a semicolon', 'http://x.example/?a=1;sig=s3cret', 'http://x.example/?a=1;sig=REDACTED'],
  [
    'a value with an equals sign',
    'http://x.example/?key=s3=cret==&b=2',
    'http://x.example/?key=REDACTED&b=2',
  ],
  [
    'parameters of a path',
    'http://x.example/a;jsessionid=s3cret/b;v=1?c=2',
    'http://x.example/a;jsessionid=REDACTED/b;v=1?c=2',
  ],
  [
    'a URL with a secret as the value',
    `http://x.example/?next=${encodeURIComponent('https://y.example/?token=s3cret')}&b=2`,
    'http://x.example/?next=REDACTED&b=2',
  ],
  [
    'a URL with a password as the value',
    `http://x.example/?next=${encodeURIComponent('https://user:s3cret@y.example/')}`,
    'http://x.example/?next=REDACTED',
  ],
  [
    'the same as the whole query',
    'http://x.example/?https://user:s3cret@y.example/',
    'http://x.example/?REDACTED',
  ],
  [
    'the same in a path',
    'http://x.example/get/https://user:s3cret@y.example/a',
    'http://x.example/get/https://y.example/a',
  ],
  ['JSON as the value', 'http://x.example/?q={"token":"s3cret"}', 'http://x.example/?q=REDACTED'],
  ['what a parser leaves out', 'http://x.example/?to\tken=s3cret', 'http://x.example/?token=REDACTED'],
  ['backslashes', 'http:\\\\user:s3cret@x.example\\a', 'http://x.example/a'],
])('removes %s', (_, url, shown) => {
  expect(redactUrl(url)).toBe(shown)
})

test('takes no time for a URL that is made to take much', () => {
  const redact = () => {
    for (const word of ['sig', 'token', '//a', '%25', ';a=', '?&'])
      redactUrl(`http://x.example/a?b=${word.repeat(8000 / word.length)}`)
  }
  expect(processorSeconds(redact)).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS / 4)
})
