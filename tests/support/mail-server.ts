import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Certificate } from './test-certificates.ts'

/** An SMTP server on this machine that records what it gets. */
export interface MailServer extends AsyncDisposable {
  readonly port: number
  /** The value of `--smtp`: a server without a login. */
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** Resolves when this many mails have arrived, with all of them. */
  untilReceived(count: number): Promise<readonly ReceivedMail[]>
  /** From now on, it answers each recipient like this: null accepts it. */
  refuseRecipients(how: (address: string) => { code: number; text: string } | null): void
}

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The login of the connection; null without one. */
  readonly user: string | null
  readonly isEncrypted: boolean
  /** By their names in lower case, unfolded, with encoded words (RFC 2047) decoded. */
  readonly headers: Readonly<Record<string, string>>
  /** Plain text and HTML, decoded. */
  readonly text: string
  readonly html: string
  readonly raw: string
}

export interface MailServerSettings {
  readonly login?: { readonly user: string; readonly pass: string }
  /** Offers STARTTLS, or with `isTls` begins with TLS. */
  readonly certificate?: Certificate
  readonly isTls?: boolean
}

export async function startMailServer(settings: MailServerSettings = {}): Promise<MailServer> {
  const { login, certificate, isTls = false } = settings
  const mails: ReceivedMail[] = []
  let arrived = Promise.withResolvers<void>()
  let refusal = (_address: string): { code: number; text: string } | null => null
  const options: SMTPServerOptions = {
    secure: isTls,
    ...(certificate ?? { disabledCommands: ['STARTTLS'] }),
    authOptional: login === undefined,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === login?.user && password === login?.pass
      if (isRight) done(null, { user: username })
      else done(new Error('no such login'))
    },
    onRcptTo: ({ address }, _session, done) => {
      const refused = refusal(address)
      done(refused === null ? null : Object.assign(new Error(refused.text), { responseCode: refused.code }))
    },
    onData: (stream, session, done) => {
      const chunks: Uint8Array[] = []
      stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : null,
          isEncrypted: session.secure,
          ...parsedMail(Buffer.concat(chunks).toString()),
        })
        arrived.resolve()
        arrived = Promise.withResolvers()
        done()
      })
    },
  }
  const server = new SMTPServer(options)
  // Clients that refuse the certificate.
  server.on('error', () => {})
  const port = await new Promise<number>((resolve, reject) => {
    const listener = server.listen(0, '127.0.0.1', () => {
      const address = listener.address()
      if (address === null || typeof address === 'string') reject(new Error('it does not listen on a port'))
      else resolve(address.port)
    })
  })
  return {
    port,
    url: `smtp://127.0.0.1:${port}?from=holdall@example.org`,
    mails,
    async untilReceived(count) {
      while (mails.length < count) await arrived.promise
      return mails
    },
    refuseRecipients(how) {
      refusal = how
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function parsedMail(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'raw'> {
  const headers = headersOf(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = raw.split(`--${boundary}`)
  const part = (type: string) => {
    const found = parts.slice(1).find((each) => each.trimStart().startsWith(`Content-Type: ${type}`)) ?? ''
    const [, body = ''] = found.trimStart().split(/\r\n\r\n(.*)/s)
    return (headersOf(found.trimStart())['content-transfer-encoding'] ?? '').includes('quoted-printable')
      ? quotedPrintable(body)
      : body
  }
  return { headers, text: part('text/plain'), html: part('text/html'), raw }
}

function headersOf(raw: string): Record<string, string> {
  const [head = ''] = raw.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? []
      return [name.toLowerCase(), encodedWords(value)]
    }),
  )
}

function encodedWords(value: string): string {
  return value
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?(q|b)\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : quotedPrintable(word.replaceAll('_', ' ')),
    )
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
