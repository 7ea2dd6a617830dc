import type { BrowserContext } from 'playwright/test'

/**
 * Whatever a browser holds against its pages: errors and warnings of the console, of scripts and of the
 * Content-Security-Policy, requests that fail, and requests to any other host than this machine.
 */
export class Complaints {
  readonly #texts: string[] = []
  readonly #provoked: string[] = []

  watch(context: BrowserContext): void {
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.#texts.push(message.text())
    })
    context.on('weberror', (event) => this.#texts.push(event.error().message))
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      // What the page itself gives up: a stream, when one leaves the page.
      if (reason !== 'net::ERR_ABORTED') this.#texts.push(`${reason} ${request.url()}`)
    })
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url())
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') this.#texts.push(`asked ${hostname}`)
    })
  }

  /** The test brings about on purpose whatever holds these words. */
  provoke(words: string): void {
    this.#provoked.push(words)
  }

  unprovoked(): string[] {
    return this.#texts.filter((text) => !this.#provoked.some((words) => text.includes(words)))
  }
}

/** What the browser says of a request that the service refuses. */
export function refusal(status: string): string {
  return `Failed to load resource: the server responded with a status of ${status}`
}
