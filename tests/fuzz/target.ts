/** A running service, and what a fuzz needs to get far into it. */
export interface Target {
  readonly origin: string
  /** Good keys, of users with different plans. No request revokes them. */
  readonly keys: readonly string[]
  /** A token that signs in, and that is not used. */
  readonly signInToken: string
  /** A small file that jobs may fetch, on this machine. */
  readonly sourceUrl: string
  /** What no answer may show beside the keys, such as its directory. */
  readonly hidden: readonly string[]
}
