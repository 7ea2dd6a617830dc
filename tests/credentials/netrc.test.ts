import { describe, expect, test } from 'bun:test'
import { netrcLoginFor, readNetrc } from '../../server/credentials/netrc.ts'

describe('a .netrc', () => {
  test.each([
    ['on one line', 'machine a.test login me password pw', [['a.test', 'me', 'pw']]],
    ['on several lines', 'machine A.test\n\tlogin me\n\tpassword pw\n', [['a.test', 'me', 'pw']]],
    [
      'with a default',
      'machine a.test login me password pw default login you password no',
      [
        ['a.test', 'me', 'pw'],
        [null, 'you', 'no'],
      ],
    ],
    [
      'with quotation marks',
      String.raw`machine a.test login "me too" password "p\"w\\ #x"`,
      [['a.test', 'me too', String.raw`p"w\ #x`]],
    ],
    [
      'with comments',
      '# mine\nmachine a.test # "the first\n login me password pw # the end\n',
      [['a.test', 'me', 'pw']],
    ],
    [
      'with a password like a comment, or like a word',
      'machine a.test login me password #pw\nmachine b.test login login password machine',
      [
        ['a.test', 'me', '#pw'],
        ['b.test', 'login', 'machine'],
      ],
    ],
    [
      'with macros',
      'machine a.test login me password pw macdef init\nmachine no\nquit\n\nmachine b.test login me password pw',
      [
        ['a.test', 'me', 'pw'],
        ['b.test', 'me', 'pw'],
      ],
    ],
    ['with an account', 'machine a.test login me account x password pw', [['a.test', 'me', 'pw']]],
    [
      'without a password',
      'machine a.test login me\nmachine b.test login me password pw',
      [['b.test', 'me', 'pw']],
    ],
    ['that is empty', '', []],
  ])('%s', (_, text, expected) => {
    expect(readNetrc(text).map(({ host, username, password }) => [host, username, password])).toEqual(
      expected,
    )
  })

  test.each([
    [
      'a password with spaces',
      'machine a.test\nlogin me password s3cret word',
      '(line 2) is not a valid .netrc line. Put a password with spaces in quotes',
    ],
    [
      'a login before a machine',
      'login me',
      '(line 1) is not a valid .netrc line. Put a password with spaces in quotes',
    ],
    ['nothing after a word', 'machine a.test\nlogin', '(line 2) ends after login'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => readNetrc(text)).toThrow(message)
  })

  test('gives a host its own login before the default, and of two the first', () => {
    const logins = readNetrc(
      'default login d password d machine a.test login 1 password 1 machine a.test login 2 password 2',
    )
    expect(netrcLoginFor('A.test', logins)?.username).toBe('1')
    expect(netrcLoginFor('www.a.test', logins)?.username).toBe('d')
    expect(netrcLoginFor('b.test', logins.slice(1))).toBeNull()
  })
})
