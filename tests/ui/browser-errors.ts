import type { BrowserContext } from 'playwright/test'

/**
 * Collects what a browser reports about its pages: errors and warnings in the console, uncaught exceptions, violations
 * of the Content-Security-Policy, failed requests, and requests to any host but 127.0.0.1.
 */
export class BrowserErrors {
  readonly #errors: string[] = []
  readonly #allowed: string[] = []

  watch(context: BrowserContext): void {
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.#errors.push(message.text())
    })
    context.on('weberror', (event) => this.#errors.push(event.error().message))
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      // The page aborts requests itself, such as an event stream when the user leaves the page.
      if (reason !== 'net::ERR_ABORTED') this.#errors.push(`${reason} ${request.url()}`)
    })
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url())
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') this.#errors.push(`request to ${hostname}`)
    })
  }

  /** Ignores errors that contain `text`, because the test causes them on purpose. */
  allow(text: string): void {
    this.#allowed.push(text)
  }

  unexpected(): string[] {
    return this.#errors.filter((error) => !this.#allowed.some((text) => error.includes(text)))
  }
}

/** The browser's error for a response with this status. */
export function failedRequest(status: string): string {
  return `Failed to load resource: the server responded with a status of ${status}`
}
