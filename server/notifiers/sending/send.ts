import type { Sealing } from '../../sites/sealing.ts'
import type { Clock } from '../../time/clock.ts'
import { unpausedTimeout } from '../../time/unpaused-time.ts'
import type { AttemptResult } from '../delivery-change.ts'
import type { DueDelivery, NotifierMessage } from '../notifier.ts'
import { type AttemptContext, attempt } from './attempt.ts'
import type { Mailer } from './mail.ts'
import type { MessageLinks } from './message-links.ts'
import { noticeOf } from './notice.ts'
import { ntfyRequest, tokenContextOf } from './ntfy.ts'
import { signedHeaders } from './signing.ts'

export interface SendOptions {
  readonly sealing: Sealing
  /** Null without a mail server. */
  mailer(): Mailer | null
  readonly clock: Clock
  /** The JSON of a message. */
  bodyOf(message: NotifierMessage): string
  linksOf(message: NotifierMessage): MessageLinks
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

export function openSend({ sealing, mailer, clock, bodyOf, linksOf }: SendOptions): Send {
  return async (delivery, context, aborter) => {
    const { id, kind, target, message } = delivery
    if (kind === 'webhook') {
      const body = bodyOf(message)
      const headers = signedHeaders(id, body, delivery.secrets, clock())
      return await attempt({ url: target, headers, body }, context, aborter)
    }
    const links = linksOf(message)
    const notice = noticeOf(message, links)
    if (kind === 'ntfy') {
      const token = openToken(delivery)
      if (token === undefined) return { responseStatus: null, error: 'Access token lost' }
      return await attempt(ntfyRequest(target, notice, token), context, aborter)
    }
    const currentMailer = mailer()
    if (currentMailer === null) return { responseStatus: null, error: 'No mail server' }
    return await sendMail(currentMailer, { id, to: target, notice, settingsUrl: links.settings }, aborter)
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
