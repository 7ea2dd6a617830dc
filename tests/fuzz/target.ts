/** A running service, with the secrets that let requests get past authentication. */
export interface Target {
  readonly origin: string
  /** Valid keys of users with different plans. No request revokes them. */
  readonly keys: readonly string[]
  /** An unused sign-in token. */
  readonly signInToken: string
  /** A small file that jobs may fetch, on this machine. */
  readonly sourceUrl: string
  /** Text that no response may contain, in addition to the keys, such as the data directory. */
  readonly hidden: readonly string[]
}
