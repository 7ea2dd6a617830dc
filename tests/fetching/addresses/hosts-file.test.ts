import { expect, test } from 'bun:test'
import { utimesSync, writeFileSync } from 'node:fs'
import { hostsFileAddresses, parseHosts } from '../../../server/fetching/addresses/hosts-file.ts'
import { resolveHost } from '../../../server/fetching/addresses/resolve-host.ts'
import { tempDir } from '../../support/temp-dir.ts'

const never = new AbortController().signal

test('each name has the addresses on its own lines only, even if other names share them', () => {
  const hosts = parseHosts(
    [
      '127.0.0.1 localhost app.test # a comment',
      '::1\tlocalhost  ip6-localhost\r',
      '192.0.2.1 App.test app.test',
      '192.0.2.1 alias',
      '# 192.0.2.2 commented.test',
      'fe80::1%eth0 zone.test',
      'not-an-address name.test',
      '192.0.2.3',
      '',
    ].join('\n'),
  )
  expect(Object.fromEntries(hosts)).toEqual({
    localhost: ['127.0.0.1', '::1'],
    'app.test': ['127.0.0.1', '192.0.2.1'],
    'ip6-localhost': ['::1'],
    alias: ['192.0.2.1'],
    'zone.test': ['fe80::1%eth0'],
  })
})

test('a hosts file is read again when it changes, and a missing one has no names', () => {
  using dir = tempDir()
  const path = dir.file('hosts')
  expect(hostsFileAddresses(path, 'app.test')).toEqual([])
  writeFileSync(path, '127.0.0.1 app.test')
  expect(hostsFileAddresses(path, 'app.test')).toEqual(['127.0.0.1'])
  writeFileSync(path, '127.0.0.12 app.test')
  expect(hostsFileAddresses(path, 'app.test')).toEqual(['127.0.0.12'])
})

test('a hosts file with the same time and size as at the last look-up is not read again', () => {
  using dir = tempDir()
  const path = dir.file('hosts')
  const addressesAfter = (text: string) => {
    writeFileSync(path, text)
    utimesSync(path, 1, 1)
    return hostsFileAddresses(path, 'app.test')
  }
  expect(addressesAfter('127.0.0.1 app.test')).toEqual(['127.0.0.1'])
  expect(addressesAfter('127.0.0.2 app.test')).toEqual(['127.0.0.1'])
})

// On other systems the look-up of the system reads the hosts file.
test.if(process.platform === 'linux')(
  'a name resolves as in the hosts file, also with a trailing dot',
  async () => {
    using dir = tempDir()
    const hostsPath = dir.file('hosts')
    writeFileSync(hostsPath, '127.0.0.1 app.test\n::1 localhost\n')
    expect(await resolveHost('app.test', never, { hostsPath })).toEqual(['127.0.0.1'])
    expect(await resolveHost('app.test.', never, { hostsPath })).toEqual(['127.0.0.1'])
    expect(await resolveHost('localhost', never, { hostsPath })).toEqual(['::1'])
  },
)

test.each(['localhost', 'localhost.', 'app.localhost', 'deep.app.localhost.'])(
  '%s resolves to this machine if it is not in the hosts file',
  async (hostname) => {
    using dir = tempDir()
    const hostsPath = dir.file('absent')
    expect(await resolveHost(hostname, never, { hostsPath })).toEqual(['127.0.0.1', '::1'])
  },
)
