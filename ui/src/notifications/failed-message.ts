import { inSentence, type Message, wordsOfService } from '../base/message.ts'
import { notificationsCopy } from '../language/english/notifications.ts'

/** That a message did not arrive, with the reason, which the service says. */
export function failedMessage(error: string | null, sentence: (reason: string) => string): Message {
  if (error === null) return sentence(notificationsCopy.deliveries.noAnswer)
  return inSentence(wordsOfService(error), sentence)
}
