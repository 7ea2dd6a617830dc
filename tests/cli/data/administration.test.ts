import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { forFile } from '../../support/for-file.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { makeData } from '../../support/make-data.ts'
import { PROGRAM_FILES, startService } from '../../support/service.ts'
import { startSources } from '../../support/sources.ts'
import { tempDir } from '../../support/temp-dir.ts'

const sources = forFile(startSources())
const service = forFile(await startService())

/** Runs one command while the service runs, or on another data directory. */
async function holdall(args: readonly string[], data = service.dataDir) {
  const result = await runCommand([...args, '--data', data])
  return { ...result, lines: result.stdout.split('\n').filter((line) => line !== '') }
}

/** Adds a user on the command line, and signs in with the printed link. @returns a key of the user */
async function addUser(name: string, ...more: string[]): Promise<string> {
  const { stdout } = await holdall(['user', 'add', name, ...more])
  const { body } = await service.request('POST', '/sign-in', {
    key: null,
    body: { token: stdout.trim().split('#')[1] },
  })
  return body.api_key.key
}
const getMe = async (key: string) => (await service.request('GET', '/me', { key })).body

describe('holdall user', () => {
  test('add, list and set-plan take effect while the service runs', async () => {
    const key = await addUser('ann', '--plan', 'free')
    expect((await getMe(key)).user).toMatchObject({ name: 'ann', plan: 'free' })
    const { lines } = await holdall(['user', 'list'])
    expect(lines.map((line) => line.split('\t').slice(0, 2))).toEqual([
      ['owner', 'pro'],
      ['ann', 'free'],
    ])
    expect(await holdall(['user', 'set-plan', 'ann', 'pro'])).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await getMe(key)).limits.max_urls).toBe(5_000)
  })

  test('remove deletes keys, jobs and archives, and stops running jobs', async () => {
    const key = await addUser('bob')
    expect((await getMe(key)).user.plan).toBe('pro')
    const job = await service.finishedJob([sources.url('/ok/a')], {}, key)
    const running = await service.request('POST', '/jobs', {
      key,
      body: { urls: [sources.url('/ok/a'), sources.url('/slow')] },
    })
    await service.jobIn(running.body.job_id, ['processing'], key)
    expect(await holdall(['user', 'remove', 'bob'])).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await service.request('GET', '/me', { key })).status).toBe(401)
    expect((await fetch(job.download_url)).status).toBe(403)
    sources.release()
    expect(readdirSync(`${service.dataDir}/archives`).filter((name) => name.endsWith('.zip'))).toEqual([])
    expect((await holdall(['user', 'list'])).stdout).not.toContain('bob')
  })

  test.each([
    [['user', 'remove', 'owner'], 1, 'owner'],
    [['user', 'remove', 'nobody'], 1, 'no user nobody'],
    [['user', 'set-plan', 'owner', 'gold'], 2, 'free or pro'],
    [['user', 'set-plan', 'owner'], 2, 'NAME PLAN'],
    [['user', 'add', 'owner'], 1, 'already'],
    [['user', 'add', 'ann', 'bob'], 2, 'NAME'],
    [['key', 'create', '--user', 'nobody'], 1, 'holdall user list'],
    [['key', 'create', '--expires-at', '2020-01-01T00:00:00Z'], 2, '2030-01-31T12:00:00Z'],
    [['key', 'revoke', 'unknown'], 1, 'holdall key list'],
    [['key'], 2, 'holdall --help'],
    [['version', 'extra'], 2, 'extra'],
    [['version', '--colour'], 2, 'holdall --help'],
    [['serve', '--rate-limit', '-1'], 2, '--rate-limit'],
    [['health', '--jobs', '65'], 2, 'from 1 to 64'],
    [['user', 'list', '--archives', '/dev/null/archives'], 1, '--archives'],
  ])('%j fails with one line that states the reason', async (args, exitCode, reason) => {
    const result = await holdall(args)
    expect(result).toMatchObject({ exitCode, stdout: '' })
    expect(result.stderr.trim().split('\n')).toEqual([expect.stringContaining(reason)])
  })
})

describe('holdall key', () => {
  test('create, list and revoke take effect while the service runs; the list shows no key', async () => {
    const { stdout } = await holdall(['key', 'create', '--name', 'script'])
    const key = stdout.trim()
    expect((await getMe(key)).user.name).toBe('owner')
    const listed = await holdall(['key', 'list'])
    const row = listed.lines.find((line) => line.includes('\tscript\t'))?.split('\t') ?? []
    expect(row[1]).toBe(`${key.slice(0, 11)}...`)
    expect(listed.stdout).not.toContain(key)
    expect(await holdall(['key', 'revoke', row[0] ?? ''])).toMatchObject({ exitCode: 0 })
    expect((await service.request('GET', '/me', { key })).status).toBe(401)
    expect((await holdall(['key', 'revoke', row[0] ?? ''])).exitCode).toBe(1)
  })
})

describe('holdall health and paths', () => {
  test('health succeeds while the service works, and fails without a service', async () => {
    expect(await holdall(['health'])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    using elsewhere = tempDir()
    const result = await holdall(['health'], elsewhere.file('data'))
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain('holdall serve')
  })

  test('paths prints where everything is, and creates nothing', async () => {
    using elsewhere = tempDir()
    const data = elsewhere.file('data')
    const { lines } = await holdall(['paths'], data)
    expect(lines).toContain(`database\t${data}/holdall.db`)
    expect(existsSync(data)).toBe(false)
  })
})

describe('--owner-key-file', () => {
  test('a missing file is created, readable only by its owner, and the next start keeps the key in it', async () => {
    using dir = tempDir()
    const path = dir.file('key')
    await using own = await startService({ 'owner-key-file': [path] })
    const key = readFileSync(path, 'utf8').trim()
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
    expect((await own.request('GET', '/me', { key })).body.user.name).toBe('owner')
    await own.restart()
    expect(readFileSync(path, 'utf8').trim()).toBe(key)
    expect((await own.request('GET', '/api-keys', { key })).body.api_keys).toHaveLength(2)
  })

  test('the key in an existing file works with a new data directory, and stays revoked once it was revoked', async () => {
    using dir = tempDir()
    const path = dir.file('key')
    const { stdout } = await holdall(['key', 'create'], makeData(dir.file('other')))
    await Bun.write(path, stdout)
    const key = stdout.trim()
    await using own = await startService({ 'owner-key-file': [path] }, PROGRAM_FILES)
    const { body } = await own.request('GET', '/api-keys', { key })
    const { id } = body.api_keys.find(({ name }: { name: string }) => name === 'Key file')
    await own.request('DELETE', `/api-keys/${id}`)
    await own.restart()
    expect((await own.request('GET', '/me', { key })).status).toBe(401)
  })

  test('a file with other content is refused', async () => {
    using dir = tempDir()
    await Bun.write(dir.file('key'), 'secret')
    const args = ['serve', '--listen', '127.0.0.1:0', '--no-open', '--owner-key-file', dir.file('key')]
    const result = await holdall(args, dir.file('data'))
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain('--owner-key-file')
    expect(result.stderr).not.toContain('secret')
  })
})
