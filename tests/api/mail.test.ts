import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startMailServer } from '../support/mail-server.ts'
import { createNotifier, untilNotified } from '../support/notifiers.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { startTcpServer } from '../support/tcp-server.ts'
import { tempDir } from '../support/temp-dir.ts'
import { selfSigned } from '../support/test-certificates.ts'
import { until } from '../support/until.ts'

const sources = forFile(startSources())
const LOGIN = { user: 'holdall@example.org', pass: 'p@ss:w/ord' }
const USER_INFO = `${encodeURIComponent(LOGIN.user)}:${encodeURIComponent(LOGIN.pass)}`

describe('A notifier of kind email', () => {
  test('says in words what was packed, with the link, the size and what failed', async () => {
    await using mail = await startMailServer()
    await using service = await startService({ smtp: [mail.url] })
    const { id } = await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
    const urls = [sources.url('/ok/a'), sources.url('/status/404?key=secret')]
    const job = await service.finishedJob(urls, { zip_filename: 'Fotos für <Ann>', fail_on_url_error: false })
    const [received] = await mail.untilReceived(1)
    const [delivery] = await untilNotified(service, id)
    expect(delivery).toMatchObject({ type: 'job.completed', response_status: 250, attempts: 1, error: null })
    expect(received).toMatchObject({ from: 'holdall@example.org', to: ['ann@example.net'] })
    expect(received?.headers).toMatchObject({
      from: 'Holdall <holdall@example.org>',
      to: 'ann@example.net',
      subject: 'Fotos für <Ann>.zip is ready, but 1 link failed',
      'message-id': `<${delivery.id}@example.org>`,
      'auto-submitted': 'auto-generated',
    })
    for (const text of [received?.text, received?.html]) {
      expect(text).toMatch(/1 file, \d+ B\./)
      expect(text).toContain('1 of 2 links failed.')
      expect(text).toContain(`HTTP 404: ${new URL(sources.url('/')).host}/status/404`)
      expect(text).toContain(job.share_url)
      expect(text).toContain(`${service.origin}/account/notifications`)
      expect(text).not.toContain('secret')
    }
    expect(received?.html).toContain('Fotos für &lt;Ann&gt;.zip')
    const token = job.share_url.split('/').at(-1)
    expect((await service.request('GET', `/download/${token}/archive`, { key: null })).status).toBe(200)
  })

  test('has no name in a header or in HTML that ends it', async () => {
    await using mail = await startMailServer()
    await using service = await startService({ smtp: [mail.url] })
    await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
    const name = `a\u2028b=?utf-8?q?=0D=0ABcc:_eve@example.net?= &"'${'é'.repeat(200)}`
    await service.finishedJob([sources.url('/ok/a')], { zip_filename: name })
    const [received] = await mail.untilReceived(1)
    expect(received?.to).toEqual(['ann@example.net'])
    expect(Object.keys(received?.headers ?? {})).not.toContain('bcc')
    expect(received?.raw).not.toMatch(/^bcc:/im)
    expect(received?.html).not.toContain(`&"'`)
  })

  test('is disabled when the mail server refuses its address for good, and not by a policy or for now', async () => {
    await using mail = await startMailServer()
    await using service = await startService({ smtp: [mail.url] })
    const refusals: Record<string, { code: number; text: string }> = {
      'gone@example.net': { code: 550, text: '5.1.1 no such user' },
      'policy@example.net': { code: 550, text: '5.7.1 relaying denied' },
      'later@example.net': { code: 450, text: '4.2.1 greylisted' },
    }
    mail.refuseRecipients((address) => refusals[address] ?? null)
    for (const [to, status, error] of [
      ['gone@example.net', 'disabled', 'Address refused (SMTP 550)'],
      ['policy@example.net', 'active', 'SMTP 550'],
      ['later@example.net', 'active', 'SMTP 450'],
    ] as const) {
      const { id } = await createNotifier(service, { kind: 'email', to })
      await service.request('POST', `/notifiers/${id}/test`)
      expect(await untilNotified(service, id, 'failed')).toMatchObject([{ error }])
      expect((await service.request('GET', `/notifiers/${id}`)).body.notifier.status).toBe(status)
    }
  })

  test('is attempted again after a refusal for now, with the same Message-ID', async () => {
    await using mail = await startMailServer()
    await using service = await startService({ smtp: [mail.url] })
    mail.refuseRecipients(() => ({ code: 450, text: 'later' }))
    const { id } = await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
    await service.finishedJob([sources.url('/ok/a')])
    const deliveries = () => service.request('GET', `/notifiers/${id}/deliveries`)
    await until('a delivery was attempted', async () => (await deliveries()).body.deliveries[0].attempts > 0)
    mail.refuseRecipients(() => null)
    service.advance(6_000)
    const [received] = await mail.untilReceived(1)
    const [delivery] = await untilNotified(service, id)
    expect(delivery).toMatchObject({ attempts: 2, status: 'delivered' })
    expect(received?.headers['message-id']).toBe(`<${delivery.id}@example.org>`)
  })
})

describe('The mail server', () => {
  test.each([
    ['smtps', true],
    ['smtp', false],
  ])('of an %s URL gets the login over TLS alone', async (scheme, isTls) => {
    using dir = tempDir()
    const certificate = await selfSigned(dir, 'localhost')
    await using mail = await startMailServer({ login: LOGIN, certificate, isTls })
    const smtp = `${scheme}://${USER_INFO}@localhost:${mail.port}`
    await using service = await startService({ smtp: [smtp], ca: [dir.file('localhost.crt')] })
    const { id } = await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
    await service.request('POST', `/notifiers/${id}/test`)
    await untilNotified(service, id)
    expect(mail.mails).toMatchObject([{ from: LOGIN.user, user: LOGIN.user, isEncrypted: true }])
    const { body } = await service.request('GET', '/service')
    expect(body.service.settings.smtp).toBe(`${scheme}://localhost:${mail.port}`)
    expect(JSON.stringify(body) + service.logged.join()).not.toMatch(/p@ss|p%40ss/)
  })

  test('whose certificate is not trusted gets nothing', async () => {
    using dir = tempDir()
    const certificate = await selfSigned(dir, 'localhost')
    await using mail = await startMailServer({ login: LOGIN, certificate, isTls: true })
    await using service = await startService({ smtp: [`smtps://${USER_INFO}@localhost:${mail.port}`] })
    const { id } = await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
    await service.request('POST', `/notifiers/${id}/test`)
    expect(await untilNotified(service, id, 'failed')).toMatchObject([
      { error: 'Mail server: TLS certificate not trusted' },
    ])
    expect(mail.mails).toEqual([])
  })

  test('that refuses the login is named as the cause, and disables nothing', async () => {
    await using mail = await startMailServer({ login: LOGIN })
    const smtp = `smtp://${encodeURIComponent(LOGIN.user)}:wrong@127.0.0.1:${mail.port}`
    await using service = await startService({ smtp: [smtp] })
    const { id } = await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
    await service.request('POST', `/notifiers/${id}/test`)
    expect(await untilNotified(service, id, 'failed')).toMatchObject([
      { error: 'Mail server refused the login (SMTP 535)', response_status: 535 },
    ])
    expect((await service.request('GET', `/notifiers/${id}`)).body.notifier.status).toBe('active')
  })

  test('that can’t be reached, or closes the connection, is told in words', async () => {
    await using closing = await startTcpServer((socket) => socket.end())
    for (const [host, cause] of [
      [closing.host, 'Connection closed early'],
      ['127.0.0.1:1', 'Connection refused'],
    ] as const) {
      await using service = await startService({ smtp: [`smtp://${host}?from=a@example.org`] })
      const { id } = await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
      await service.request('POST', `/notifiers/${id}/test`)
      expect(await untilNotified(service, id, 'failed')).toMatchObject([{ error: `Mail server: ${cause}` }])
    }
  })

  test.each([
    ['a greeting without an end', '', '220-hello\r\n'.repeat(1_000)],
    ['a line without an end', '', 'x'.repeat(10_000)],
    ['an answer without an end', '220 hello\r\n', '250-more\r\n'.repeat(1_000)],
  ])('that sends %s is given up, and holds up no answer', async (_, greeting, endless) => {
    const closed = Promise.withResolvers<void>()
    await using hostile = await startTcpServer((socket) => {
      const flood = () => {
        while (socket.writable && socket.write(endless));
      }
      socket.on('drain', flood)
      socket.on('close', () => closed.resolve())
      if (greeting === '') return flood()
      socket.write(greeting)
      socket.once('data', flood)
    })
    await using service = await startService({ smtp: [`smtp://${hostile.host}?from=a@example.org`] })
    const { id } = await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
    await service.request('POST', `/notifiers/${id}/test`)
    expect(await untilNotified(service, id, 'failed')).toMatchObject([
      { error: 'Mail server: Malformed response' },
    ])
    await closed.promise
  })

  test('that hangs delays no stop of the service', async () => {
    const connected = Promise.withResolvers<void>()
    await using silent = await startTcpServer(() => connected.resolve())
    const service = await startService({ smtp: [`smtp://${silent.host}?from=a@example.org`] })
    const { id } = await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
    await service.request('POST', `/notifiers/${id}/test`)
    await connected.promise
    await service[Symbol.asyncDispose]()
    // An attempt may take ten seconds, and a stop seven.
    expect(service.logged.join('')).not.toContain('did not stop in time')
  })
})
