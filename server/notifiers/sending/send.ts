import type { Config } from '../../config/config.ts'
import { alsoTrusting } from '../../fetching/verified-tls.ts'
import type { Sealing } from '../../sites/sealing.ts'
import type { Clock } from '../../time/clock.ts'
import { unpausedTimeout } from '../../time/unpaused-time.ts'
import type { AttemptResult } from '../delivery-change.ts'
import type { DueDelivery, NotifierMessage } from '../notifier.ts'
import { type AttemptContext, attempt } from './attempt.ts'
import { type Mailer, openMailer } from './mail.ts'
import { messageLinks } from './message-links.ts'
import { noticeOf } from './notice.ts'
import { ntfyRequest, tokenContextOf } from './ntfy.ts'
import { signedHeaders } from './signing.ts'

export interface SendOptions {
  readonly sealing: Sealing
  readonly clock: Clock
  /** The settings of a time. */
  config(): Pick<Config, 'ca' | 'smtp' | 'baseUrl'>
  /** The JSON of a message, whose links lead to an origin. */
  bodyOf(message: NotifierMessage, origin: string): string
  /** The link to the page for receivers of a job's archive; null when that page would have nothing to show. */
  shareUrlOf(jobId: string, origin: string): string | null
}

/**
 * Makes one attempt of a delivery, in the way of its notifier.
 * @param aborter ends it when aborted
 * @returns null when it was aborted, or when this process lacked descriptors: then it does not count
 */
export type Send = (
  delivery: DueDelivery,
  context: AttemptContext,
  aborter: AbortController,
) => Promise<AttemptResult | null>

export function openSend({ sealing, clock, config, bodyOf, shareUrlOf }: SendOptions): Send {
  return async (delivery, context, aborter) => {
    const { id, kind, target, message } = delivery
    const { ca, smtp, baseUrl } = config()
    const origin = baseUrl ?? message.origin
    if (kind === 'webhook') {
      const body = bodyOf(message, origin)
      const headers = signedHeaders(id, body, delivery.secrets, clock())
      return await attempt({ url: target, headers, body }, context, aborter)
    }
    const links = messageLinks(message, shareUrlOf, origin)
    const notice = noticeOf(message, links)
    if (kind === 'ntfy') {
      const token = openToken(delivery)
      if (token === undefined) return { responseStatus: null, error: 'Access token lost' }
      return await attempt(ntfyRequest(target, notice, token), context, aborter)
    }
    if (smtp === null) return { responseStatus: null, error: 'No mail server' }
    const mailer = openMailer(smtp, alsoTrusting(ca).ca)
    return await sendMail(mailer, { id, to: target, notice, settingsUrl: links.settings }, aborter)
  }

  /** Undefined when it was sealed by a key that this service no longer has. */
  function openToken({ notifierId, target, sealedToken }: DueDelivery): string | null | undefined {
    if (sealedToken === null) return null
    return sealing.open(sealedToken, tokenContextOf({ id: notifierId, target })) ?? undefined
  }
}

async function sendMail(
  mailer: Mailer,
  mail: Parameters<Mailer['send']>[0],
  aborter: AbortController,
): Promise<AttemptResult | null> {
  const { signal } = aborter
  const timedOut = new Error('the mail server took too long')
  using _timeout = unpausedTimeout(MAIL_TIMEOUT_MS, () => aborter.abort(timedOut))
  try {
    return await mailer.send(mail, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    return signal.reason === timedOut ? { responseStatus: null, error: 'Mail server: Timed out' } : null
  }
}

/** Some servers check a message while its sender waits. */
const MAIL_TIMEOUT_MS = 60_000
