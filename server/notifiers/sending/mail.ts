import type { SendMailOptions } from 'nodemailer'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer } from '../../config/mail-server.ts'
import { isLoopback, parseAddress } from '../../fetching/addresses/ip.ts'
import { classifyNetworkError } from '../../fetching/attempts/fetch-failure.ts'
import { VERIFIED_TLS } from '../../fetching/verified-tls.ts'
import type { AttemptResult } from '../delivery-change.ts'
import type { Notice } from './notice.ts'

/** A notice for an address. */
export interface OutgoingMail {
  /** The id of the delivery: in the `Message-ID`, the same at each attempt, so that mail programs show it once. */
  readonly id: string
  readonly to: string
  readonly notice: Notice
  /** Where its receiver turns it off. */
  readonly settingsUrl: string
}

/** Sends mail through the operator's server (RFC 5321), over a connection of its own for each. */
export interface Mailer {
  /**
   * Sends one mail to one address.
   * @param signal ends the connection
   * @returns null when this process lacked descriptors: then it does not count
   * @throws the reason of the signal
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<AttemptResult | null>
}

/** @param ca all certificates to trust, in PEM format; undefined for those that are built in */
export function openMailer(server: MailServer, ca: string | undefined): Mailer {
  const options = connectionOptions(server, ca)
  return {
    async send(mail, signal) {
      // Loaded here, since most services send no mail.
      const [{ default: Connection }, { default: MailComposer }] = await Promise.all([
        import('nodemailer/lib/smtp-connection'),
        import('nodemailer/lib/mail-composer'),
      ])
      const message = await new MailComposer(composed(mail, server)).compile().build()
      const connection = new Connection(options)
      const broken = Promise.withResolvers<never>()
      broken.promise.catch(() => {})
      connection.on('error', broken.reject)
      const onAbort = () => broken.reject(signal.reason)
      signal.addEventListener('abort', onAbort)
      /** A connection that breaks need not call back. */
      const untilDone = (run: Parameters<typeof step>[0]) => Promise.race([step(run), broken.promise])
      try {
        signal.throwIfAborted()
        await untilDone((done) => connection.connect(done))
        const { login } = server
        if (login !== null) await untilDone((done) => connection.login(login, done))
        await untilDone((done) => connection.send({ from: server.from, to: mail.to }, message, done))
        connection.quit()
        return { responseStatus: ACCEPTED, error: null }
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof Error)) throw error
        return isOutOfDescriptors(error) ? null : resultOf(error)
      } finally {
        signal.removeEventListener('abort', onAbort)
        connection.close()
      }
    },
  }
}

function connectionOptions(server: MailServer, ca: string | undefined): SMTPConnection.Options {
  return {
    host: server.hostname,
    port: server.port,
    secure: server.isTls,
    // Without TLS, anyone on the way could read the password. On this machine there is nobody.
    requireTLS: !server.isTls && server.login !== null && !isLocal(server.hostname),
    tls: { ...VERIFIED_TLS, ...(ca !== undefined && { ca }) },
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
  }
}

/** Header values are encoded by the composer, and no text of a notice can end a header: it makes each of them one line. */
function composed({ id, to, notice, settingsUrl }: OutgoingMail, { from }: MailServer): SendMailOptions {
  const { title, lines, failures, link } = notice
  const reason = 'You get this mail because you asked Holdall to tell you.'
  const text = [
    lines.join('\n'),
    ...(failures.length === 0 ? [] : [failures.map((failure) => `- ${failure}`).join('\n')]),
    `${link.text}:\n${link.url}`,
    `--\n${reason} Change that here:\n${settingsUrl}`,
  ].join('\n\n')
  return {
    from: { name: 'Holdall', address: from },
    to: { name: '', address: to },
    subject: title,
    text: `${text}\n`,
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5;max-width:40em">',
      `<h1 style="font-size:1.25em">${escaped(title)}</h1>`,
      `<p>${lines.map(escaped).join('<br>')}</p>`,
      failures.length === 0
        ? ''
        : `<ul>${failures.map((failure) => `<li>${escaped(failure)}</li>`).join('')}</ul>`,
      `<p><a href="${escaped(link.url)}">${escaped(link.text)}</a></p>`,
      `<p style="color:#666;font-size:.875em">${reason} <a href="${escaped(settingsUrl)}">Change that</a></p>`,
      '</body></html>',
    ].join('\n'),
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    // RFC 3834, section 5: so that nobody's absence is answered.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Runs one step of a connection to its callback. */
function step(run: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    run((error) => (error ? reject(error) : resolve()))
  })
}

/** What the mail server has said, or that it could not be reached, in words. */
function resultOf(error: SMTPConnection.SMTPError): AttemptResult {
  const { code, originalCode, command, response = '', responseCode } = error
  if (responseCode === undefined) {
    const systemError = Object.assign(new Error(), { code: originalCode ?? code })
    const cause = TEXTS[code ?? ''] ?? classifyNetworkError(systemError).text
    return { responseStatus: null, error: `Mail server: ${cause}` }
  }
  const status = { responseStatus: responseCode }
  if (code === 'EAUTH') return { ...status, error: `Mail server refused the login (SMTP ${responseCode})` }
  // RFC 3463, section 3.8: 5.7 is the policy of the server, such as which clients it serves, and not about the address.
  const isAddress = command === 'RCPT TO' && error.permanent === true && !/^\d{3}[ -]5\.7\./.test(response)
  return isAddress
    ? { ...status, error: `Address refused (SMTP ${responseCode})`, isGone: true }
    : { ...status, error: `SMTP ${responseCode}` }
}

/** Errors of nodemailer that no error of the system has caused. */
const TEXTS: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'Timed out',
  EDNS: 'Could not resolve host',
  ETLS: 'TLS handshake failed',
  EPROTOCOL: 'Malformed response',
  ECONNECTION: 'Connection closed early',
}

function isOutOfDescriptors({ originalCode }: SMTPConnection.SMTPError): boolean {
  return originalCode === 'EMFILE' || originalCode === 'ENFILE'
}

function isLocal(hostname: string): boolean {
  const address = parseAddress(hostname)
  return address === null ? hostname === 'localhost' : isLoopback(address)
}

function escaped(text: string): string {
  return Bun.escapeHTML(text)
}

/** RFC 5321, section 4.2.3. */
const ACCEPTED = 250
const CONNECT_MS = 10_000
/** Some servers let clients wait for their greeting, against spam. */
const SILENCE_MS = 30_000
/** Replies of servers have some lines. */
const MAX_RESPONSE_BYTES = 64 * 1024
