/** Credentials that can't be used. The message is the rest of a sentence about their text. It contains no part of a secret. */
export class UnreadableCredentials extends Error {
  override readonly name = 'UnreadableCredentials'
}
