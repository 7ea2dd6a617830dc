import { describe, expect, test } from 'bun:test'
import { readCurlCommands } from '../../server/credentials/curl-commands.ts'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../support/hostile-input.ts'

const { raw } = String

describe('a copied command of curl', () => {
  test.each([
    [
      'from Chrome, for bash',
      raw`curl 'https://example.org/a?b=c&d=e' \
  -H 'accept: text/html,application/xhtml+xml;q=0.9' \
  -H 'accept-language: en-US,en;q=0.9' \
  -b 'session=s3cret; theme=dark' \
  -H 'sec-ch-ua: "Chromium";v="130"' \
  --compressed`,
      'https://example.org/a?b=c&d=e',
      {
        accept: 'text/html,application/xhtml+xml;q=0.9',
        'accept-language': 'en-US,en;q=0.9',
        'sec-ch-ua': '"Chromium";v="130"',
        Cookie: 'session=s3cret; theme=dark',
      },
    ],
    [
      'from Chrome, for bash, with what needs escapes',
      raw`curl 'https://example.org/' -H $'x-note: it\'s \u0021 \U00000041\x42\103\\n'`,
      'https://example.org/',
      { 'x-note': raw`it's ! ABC\n` },
    ],
    [
      'from Chrome, for the Command Prompt',
      [
        raw`curl ^"https://example.org/a?b=c^&d=%^20e^" ^`,
        raw`  -H ^"accept: */*^" ^`,
        raw`  -b ^"session=^\^"s3cret^\^"; theme=a^%^b^" ^`,
        raw`  -H ^"x-path: C:^\^\dir^\^\^"`,
      ].join('\r\n'),
      'https://example.org/a?b=c&d=%20e',
      { accept: '*/*', 'x-path': 'C:\\\\dir\\', Cookie: 'session="s3cret"; theme=a%b' },
    ],
    [
      'from older browsers, for the Command Prompt',
      'curl "https://example.org/?a=^b" ^\r\n -H "cookie: a=""b""" ^\r\n -H "x: \\"y\\"" --compressed',
      'https://example.org/?a=^b',
      { cookie: 'a="b"', x: '"y"' },
    ],
    [
      'from Firefox, with headers that only Holdall sets',
      `curl 'https://example.org/' --compressed -H 'User-Agent: Mozilla/5.0' -H 'Accept-Encoding: gzip, br' -H 'Connection: keep-alive' -H 'Cookie: a=b' -H 'TE: trailers' -H 'If-None-Match: "x"' -H 'Range: bytes=0-'`,
      'https://example.org/',
      { 'User-Agent': 'Mozilla/5.0', Cookie: 'a=b' },
    ],
    [
      'from Postman',
      `curl --location --request GET 'https://example.org/' --header 'X-API-Key: k'`,
      'https://example.org/',
      { 'X-API-Key': 'k' },
    ],
    [
      'from a manual, with its prompt and short options',
      `$ curl -sSLu 'me:p:w' -XGET -A agent/1 -e https://ref.example/ -o /dev/null --url https://example.org/ 2>/dev/null`,
      'https://example.org/',
      { Authorization: 'Basic bWU6cDp3', Referer: 'https://ref.example/', 'User-Agent': 'agent/1' },
    ],
    [
      'with a token',
      'curl --oauth2-bearer t https://a.test/',
      'https://a.test/',
      { Authorization: 'Bearer t' },
    ],
    [
      'with double quotes',
      raw`curl "https://a.test/" -H "X: a\"b\\c \d"`,
      'https://a.test/',
      { X: raw`a"b\c \d` },
    ],
    [
      'with cookies in several places',
      `curl https://a.test/ -H 'Cookie: a=1' -b b=2 -b 'c=3'`,
      'https://a.test/',
      { Cookie: 'a=1; b=2; c=3' },
    ],
    ['with a header twice', `curl https://a.test/ -H 'X: 1' -H 'x: 2'`, 'https://a.test/', { X: '1, 2' }],
    [
      'with headers that are empty or taken away',
      `curl https://a.test/ -H 'X;' -H 'Accept:'`,
      'https://a.test/',
      { X: '' },
    ],
    [
      'whose -H goes before -u and -A',
      `curl -A a -u b:c https://a.test/ -H 'Authorization: d' -H 'user-agent: e'`,
      'https://a.test/',
      { Authorization: 'd', 'user-agent': 'e' },
    ],
    ['without a scheme', 'curl.exe a.test/x', 'http://a.test/x', {}],
    [
      'with brackets that are escaped for curl',
      raw`curl 'https://a.test/\[1-2\]?a\[\]=b'`,
      'https://a.test/[1-2]?a[]=b',
      {},
    ],
    ['with brackets and -g', 'curl -g "https://[::1]/{a,b}"', 'https://[::1]/{a,b}', {}],
    ['for an IPv6 address', 'curl http://[fe80::1]/', 'http://[fe80::1]/', {}],
  ])('%s', (_, text, url, headers) => {
    const [command, ...others] = readCurlCommands(text)
    expect(others).toEqual([])
    expect(command?.urls).toEqual([url])
    expect(Object.fromEntries(command?.headers.map(({ name, value }) => [name, value]) ?? [])).toEqual(
      headers,
    )
  })

  test('several in one text each have their own headers', () => {
    const bash = `# two files\ncurl 'https://a.test/1' -H 'X: 1' ;\ncurl 'https://a.test/2' \\\n -H 'X: 2' --next https://a.test/3\n`
    const cmd =
      'curl ^"https://a.test/1^" ^\r\n  -H ^"X: 1^" &\r\ncurl ^"https://a.test/2^" ^\r\n  -H ^"X: 2^" --next ^"https://a.test/3^"\r\n'
    for (const text of [bash, cmd]) {
      expect(readCurlCommands(text)).toEqual([
        { urls: ['https://a.test/1'], headers: [{ name: 'X', value: '1' }] },
        { urls: ['https://a.test/2'], headers: [{ name: 'X', value: '2' }] },
        { urls: ['https://a.test/3'], headers: [] },
      ])
    }
  })

  test('a command may have several URLs', () => {
    expect(readCurlCommands('curl https://a.test/1 https://a.test/2 -- https://a.test/3')[0]?.urls).toEqual([
      'https://a.test/1',
      'https://a.test/2',
      'https://a.test/3',
    ])
  })
})

describe('what is refused, in words', () => {
  test.each([
    [
      'a method',
      'curl -X POST https://a.test/',
      'asks for the method POST. Holdall only fetches files, with GET',
    ],
    [
      'a method, attached',
      'curl -XPUT https://a.test/',
      'asks for the method PUT. Holdall only fetches files, with GET',
    ],
    [
      'data',
      `curl https://a.test/ --data-raw 'a=b'`,
      'has the option --data-raw, which sends data. Holdall only fetches files, with GET',
    ],
    [
      'data, by a letter',
      'curl https://a.test/ -da=b',
      'has the option -d, which sends data. Holdall only fetches files, with GET',
    ],
    [
      'a form',
      'curl https://a.test/ -F a=@b',
      'has the option -F, which sends data. Holdall only fetches files, with GET',
    ],
    [
      'an upload',
      'curl -T file https://a.test/',
      'has the option -T, which sends data. Holdall only fetches files, with GET',
    ],
    [
      'HEAD',
      'curl -sI https://a.test/',
      'has the option -I, which asks for the header alone. Holdall only fetches files, with GET',
    ],
    [
      'a range',
      'curl -r 0-9 https://a.test/',
      'has the option -r, which asks for a part of the file. Holdall fetches whole files',
    ],
    [
      'a file of cookies',
      'curl -b jar.txt https://a.test/',
      'has the option -b with a file of cookies. Give that file itself',
    ],
    [
      'a file of headers',
      'curl -H @file https://a.test/',
      'has an option -H with a file. Give that file itself',
    ],
    ['a user without a password', 'curl -u me https://a.test/', 'has no password in its option -u'],
    [
      'a proxy',
      'curl -x http://p https://a.test/',
      'has the option -x, which takes another way to the server. Remove it',
    ],
    [
      'another way to sign in',
      'curl --digest -u a:b https://a.test/',
      'has the option --digest, which signs in by a method that Holdall does not have',
    ],
    [
      'an unknown option',
      'curl --frobnicate https://a.test/',
      'has an option --frobnicate that Holdall does not know. Remove it',
    ],
    [
      'a variable',
      'curl -H "Authorization: $TOKEN" https://a.test/',
      'has a variable of the shell. Write its value instead, or put it in single quotes',
    ],
    [
      'a command in a command',
      'curl -H "X: `id`" https://a.test/',
      'has a variable of the shell. Write its value instead, or put it in single quotes',
    ],
    ['an open quotation mark', `curl 'https://a.test/`, 'has a quotation mark that is not closed'],
    [
      'an open quotation mark for the Command Prompt',
      'curl ^"https://a.test/',
      'has a quotation mark that is not closed',
    ],
    [
      'another program',
      'wget https://a.test/',
      'has something else than curl commands. Remove it, and put each URL in quotation marks',
    ],
    [
      'an address that the shell cuts',
      'curl https://a.test/?a=b&c=s3cret',
      'has something else than curl commands. Remove it, and put each URL in quotation marks',
    ],
    [
      'several addresses in one',
      'curl https://a.test/{a,b}',
      'has a URL that stands for several ({} or []). Write each URL, or add -g',
    ],
    ['another scheme', 'curl ftp://a.test/', 'has a URL that is not an http or https URL'],
    ['no address', 'curl -s', 'has no URL'],
    ['an option without its value', 'curl https://a.test/ -H', 'has nothing after its option -H'],
    ['a header without a colon', 'curl https://a.test/ -H s3cret', 'has a header without a colon'],
    [
      'a value that is not ASCII',
      `curl https://a.test/ -H 'X: é'`,
      'has a header X whose value must contain printable ASCII characters only',
    ],
    [
      'a line break in a value',
      raw`curl https://a.test/ -H $'X: a\nb: c'`,
      'has a header X whose value must contain printable ASCII characters only',
    ],
    ['a text without commands', '# nothing\n', 'has no curl command'],
    [
      'the second of two commands',
      'curl https://a.test/\ncurl -d a https://a.test/',
      '(command 2) has the option -d, which sends data. Holdall only fetches files, with GET',
    ],
  ])('%s', (_, text, message) => {
    expect(() => readCurlCommands(text)).toThrow(message)
  })
})

test('a long command takes time in proportion to its length', () => {
  const cookie = `a=${'b'.repeat(1_000_000)}`
  expect(readCurlCommands(`curl 'https://a.test/' -b '${cookie}'`)[0]?.headers[0]?.value).toBe(cookie)
  const many = Array.from({ length: 2_000 }, (_, index) => `curl 'https://a.test/${index}' -H 'X: ${index}'`)
  expect(readCurlCommands(many.join(' ;\n'))).toHaveLength(2_000)
  const read = () => expect(readCurlCommands('curl a.test ;'.repeat(20_000))).toHaveLength(20_000)
  // Who pastes commands may not have written them.
  expect(processorSeconds(read)).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
})
