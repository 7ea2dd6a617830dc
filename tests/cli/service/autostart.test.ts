import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments } from '../../../server/cli/arguments.ts'
import { givenSettings, withoutSecrets } from '../../../server/cli/given-settings.ts'
import type { InstallTarget } from '../../../server/cli/service/autostart/autostart.ts'
import { autostartOf } from '../../../server/cli/service/autostart/autostart-here.ts'
import { browserCommand } from '../../../server/cli/service/open-browser.ts'
import { resultOf } from '../../support/holdall-command.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** Characters that are special in units, in XML or on command lines. */
const ODD = `a b%c"d$e\\f<g>&'h`
const SETTINGS = { HOLDALL_DATA: `/data/${ODD}\\`, HOLDALL_ALLOW_NETWORK: '10.0.0.0/8,fd00::/8' }

const target = (more: Partial<InstallTarget>): InstallTarget => ({
  platform: 'linux',
  userId: 1000,
  home: '/home/ann',
  env: {},
  program: [`/opt/${ODD}/holdall`],
  settings: SETTINGS,
  ...more,
})

describe('On Linux, holdall install', () => {
  test('makes a unit of the user that systemd accepts, also with special characters in its paths', async () => {
    using dir = tempDir()
    const folder = dir.file('a b%c$d<g>&h')
    mkdirSync(folder)
    const program = join(folder, 'holdall')
    symlinkSync('/usr/bin/true', program)
    const unit = autostartOf(target({ program: [program] }))
    expect(unit).toMatchObject({
      path: '/home/ann/.config/systemd/user/holdall.service',
      mode: 0o600,
      when: 'when you log in',
    })
    writeFileSync(dir.file('holdall.service'), unit.text)
    expect(await verify(dir.file('holdall.service'))).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    // The same check finds a path that is wrong.
    writeFileSync(dir.file('wrong.service'), unit.text.replace('%%', '%%%%'))
    expect((await verify(dir.file('wrong.service'))).stderr).toContain('is not executable')
    expect(unit.text).toContain('Environment=HOLDALL_ALLOW_NETWORK=10.0.0.0/8,fd00::/8\n')
    const elsewhere = target({ env: { XDG_CONFIG_HOME: '/config' }, program: [program] })
    expect(autostartOf(elsewhere).path).toStartWith('/config/systemd/')
  })

  test('makes the unit of the documentation when root runs it', () => {
    const unit = autostartOf(target({ userId: 0, settings: {}, program: ['/opt/holdall'] }))
    const documented = readFileSync(join(import.meta.dir, '../../../server/deploy/holdall.service'), 'utf8')
    expect(unit.path).toBe('/etc/systemd/system/holdall.service')
    expect(`# ${unit.path}\n\n${unit.text}`).toBe(
      documented.replace('/usr/local/bin/holdall', '/opt/holdall'),
    )
  })

  test('refuses settings of the unit of the system, and a program that systemd cannot start', () => {
    expect(() => autostartOf(target({ userId: 0, program: ['/opt/holdall'] }))).toThrow('/etc/holdall.env')
    expect(() => autostartOf(target({}))).toThrow('Move it')
    for (const path of ['/home/ann/holdall', '/root/holdall', '/tmp/holdall'])
      expect(() => autostartOf(target({ userId: 0, settings: {}, program: [path] }))).toThrow(path)
  })
})

describe('On macOS, holdall install', () => {
  test('makes an agent of the user that a reader of property lists understands', async () => {
    const agent = autostartOf(target({ platform: 'darwin', userId: 501, home: '/Users/ann' }))
    expect(agent).toMatchObject({
      path: '/Users/ann/Library/LaunchAgents/holdall.plist',
      mode: 0o600,
      register: [],
      start: [['launchctl', 'bootstrap', 'gui/501', '/Users/ann/Library/LaunchAgents/holdall.plist']],
      stop: [['launchctl', 'bootout', 'gui/501/holdall']],
      unregister: [],
    })
    expect(await python('plistlib.loads(text.encode())', agent.text)).toMatchObject({
      Label: 'holdall',
      ProgramArguments: [`/opt/${ODD}/holdall`, 'serve', '--no-open'],
      EnvironmentVariables: SETTINGS,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      Umask: 0o077,
    })
  })

  test('refuses to run as root', () => {
    expect(() => autostartOf(target({ platform: 'darwin', userId: 0 }))).toThrow('without sudo')
  })
})

describe('On Windows, holdall install', () => {
  test('makes a task whose command line has the settings as flags', async () => {
    const program = [`C:\\Program Files\\${ODD}\\holdall.exe`]
    const env = {
      LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local',
      USERDOMAIN: 'OFFICE',
      USERNAME: 'ann & bob',
    }
    const task = autostartOf(target({ platform: 'win32', userId: null, env, program }))
    expect(task.path).toBe('C:\\Users\\ann\\AppData\\Local\\holdall\\task.xml')
    expect(task.register[0]).toEqual(['schtasks', '/Create', '/TN', 'Holdall', '/XML', task.path, '/F'])
    const words = ['--headless', ...program, 'serve', '--no-open', `--data=${SETTINGS.HOLDALL_DATA}`]
    const networks = ['--allow-network=10.0.0.0/8', '--allow-network=fd00::/8']
    const expected = await python('subprocess.list2cmdline(json.loads(text))', [...words, ...networks])
    const values = await python(
      '{e.tag.split("}")[1]: e.text for e in xml.etree.ElementTree.fromstring(text).iter()}',
      task.text,
    )
    expect(values).toMatchObject({
      Command: 'conhost.exe',
      Arguments: expected,
      UserId: 'OFFICE\\ann & bob',
      ExecutionTimeLimit: 'PT0S',
    })
  })
})

describe('Every setting that may be given', () => {
  const SWITCH = { flags: { 'archive-store-proxy': ['true'] }, env: {} }
  const VARIABLE = { flags: {}, env: { HOLDALL_ARCHIVE_STORE_PROXY: '1' } }
  const OFF = { flags: {}, env: { HOLDALL_ARCHIVE_STORE_PROXY: 'false' } }

  test.each([
    [SWITCH, true],
    [VARIABLE, true],
    [OFF, false],
  ])('is read again from the Windows task, the agent and the unit: a switch by %j', async (given, isOn) => {
    const settings = givenSettings(given.flags, given.env)
    for (const platform of ['win32', 'linux', 'darwin'] as const) {
      const program = ['/opt/holdall']
      const { text } = autostartOf(target({ platform, program, settings }))
      const config = await startedWith(platform, text)
      expect([platform, config.archiveStoreProxy]).toEqual([platform, isOn])
    }
  })

  test('is read again when its value begins with a hyphen', async () => {
    const settings = givenSettings({}, { HOLDALL_METRICS_TOKEN: '-a-token-of-16-letters' })
    const { text } = autostartOf(target({ platform: 'win32', program: ['/opt/holdall'], settings }))
    expect((await startedWith('win32', text)).metricsToken).toBe('-a-token-of-16-letters')
  })

  test('comes with the passwords of proxy and mail server, which are not shown, and with absolute paths of all certificates', async () => {
    const proxy = 'http://ann:s3%40cret@proxy.example:3128'
    const smtp = 'smtps://ann%40example.org:s3%40cret@mail.example'
    const flags = { proxy: [proxy], smtp: [smtp], 'no-proxy': ['a.test, 10.0.0.0/8'], 'limit-rate': ['20M'] }
    const settings = givenSettings(flags, {})
    for (const platform of ['win32', 'linux', 'darwin'] as const) {
      const { text } = autostartOf(target({ platform, program: ['/opt/holdall'], settings }))
      expect(await startedWith(platform, text)).toMatchObject({
        proxy: { hostname: 'proxy.example', authorization: `Basic ${btoa('ann:s3@cret')}` },
        smtp: { login: { pass: 's3@cret' } },
        noProxy: 'a.test, 10.0.0.0/8',
        limitRate: 20_000_000,
      })
    }
    expect(JSON.stringify(withoutSecrets(settings))).not.toContain('cret')
    const { HOLDALL_CA: paths } = givenSettings({ ca: ['one.pem', '/etc/two.pem'] }, {})
    expect(paths).toBe(`${join(process.cwd(), 'one.pem')},/etc/two.pem`)
  })

  test('comes with the credentials of the archive store, which only its owner can read', async () => {
    const credentials = {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'a/b+c=%d',
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
    }
    const settings = givenSettings({ 'archive-store': ['s3://zips'] }, credentials)
    for (const platform of ['linux', 'darwin'] as const) {
      const autostart = autostartOf(target({ platform, program: ['/opt/holdall'], settings }))
      expect(autostart.mode).toBe(0o600)
      expect((await startedWith(platform, autostart.text)).storeAccess).toMatchObject({
        secretAccessKey: credentials.AWS_SECRET_ACCESS_KEY,
        endpoint: credentials.AWS_ENDPOINT_URL,
      })
    }
    const task = autostartOf(target({ platform: 'win32', program: ['C:\\holdall.exe'], settings }))
    expect(task.remark).toContain('setx')
    expect(task.text).not.toContain('a/b+c')
    expect(givenSettings({}, credentials)).toEqual({})
    expect(JSON.stringify(withoutSecrets(settings))).not.toContain('a/b+c')
  })
})

/** The settings of the service that the system starts by this text. */
async function startedWith(platform: 'win32' | 'linux' | 'darwin', text: string) {
  if (platform === 'win32') {
    const words = await python(
      'shlex.split(next(e.text for e in xml.etree.ElementTree.fromstring(text).iter() if e.tag.endswith("Arguments")))',
      text,
    )
    return readArguments(words.slice(words.indexOf('serve') + 1), {}).config
  }
  if (platform === 'darwin') {
    const env = await python('plistlib.loads(text.encode())["EnvironmentVariables"]', text)
    return readArguments([], env).config
  }
  const env = Object.fromEntries(
    [...text.matchAll(/^Environment="?([^=]+)=(.*?)"?$/gm)].map(([, name, value = '']) => [
      name,
      value.replaceAll('%%', '%'),
    ]),
  )
  return readArguments([], env).config
}

test('On other systems, holdall install says that it cannot', () => {
  expect(() => autostartOf(target({ platform: 'freebsd' }))).toThrow('cannot install itself on freebsd')
})

test.each([
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', {}, null],
] as const)('A page is opened on %s with %p by %p', (platform, env, command) => {
  expect(browserCommand(platform, env)).toEqual(command === null ? null : [...command])
})

test('The settings of a service are those that were given, with absolute paths, and flags win', () => {
  const flags = {
    jobs: ['2'],
    'allow-network': ['10.0.0.0/8', 'fd00::/8'],
    archives: ['zips'],
    'no-open': ['true'],
  }
  const env = { HOLDALL_JOBS: '4', HOLDALL_PLANS: '', HOLDALL_LISTEN: '127.0.0.1:9000' }
  expect(givenSettings(flags, env)).toEqual({
    HOLDALL_JOBS: '2',
    HOLDALL_ALLOW_NETWORK: '10.0.0.0/8,fd00::/8',
    HOLDALL_ARCHIVES: join(process.cwd(), 'zips'),
    HOLDALL_LISTEN: '127.0.0.1:9000',
  })
})

async function verify(path: string) {
  const env = { PATH: process.env.PATH, HOME: '/tmp', XDG_RUNTIME_DIR: '/tmp', SYSTEMD_COLORS: '0' }
  return await resultOf(
    Bun.spawn(['systemd-analyze', '--user', 'verify', path], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
}

/** The value of a Python expression on a text, or on a value as JSON. */
async function python(expression: string, value: unknown) {
  const script = `import json, plistlib, shlex, subprocess, sys, xml.etree.ElementTree
text = sys.argv[1]
print(json.dumps(${expression}))`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const { stdout, stderr } = await resultOf(
    Bun.spawn(['python3', '-c', script, text], { stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  if (stderr !== '') throw new Error(stderr)
  return JSON.parse(stdout)
}
