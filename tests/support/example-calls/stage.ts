import type { ReplyBody, TestService } from '../service.ts'

/** What the calls use. Their texts have the names that are shown, in whose place the actual ones are sent. */
export interface Stage {
  /** The command of a `GET`. */
  get(path: string): string
  /** The command of another request, with JSON if there is a body. */
  send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): string
  /**
   * Runs the command of an operation as a user does, and keeps it with its answer. A minute passes for the service before it.
   * @param name the id of the operation, or the code of the error that the call gets
   * @param key the key in `$KEY`; by default the owner's
   */
  call(name: string, command: string, key?: string): Promise<ReplyBody>
  /** Requests that are not kept. */
  create(path: string, body: object): Promise<ReplyBody>
  change(path: string, body: object): Promise<void>
  /** What `holdall settings code` prints. */
  settingsCode(): string
  jobIn: TestService['jobIn']
  /** Waits until no delivery on this list is pending. */
  untilDelivered(path: string): Promise<void>
}

/** What is shown in place of the addresses of the service, the site of the sources, and a receiver of messages. */
export const SERVICE = 'http://127.0.0.1:8420'
export const SOURCES = 'https://example.org'
export const RECEIVER = 'https://hooks.example.com'
