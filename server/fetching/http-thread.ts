/**
 * Starts the thread that Bun runs `fetch` in, for webhooks and the archive store. It needs descriptors, and Bun ends the process
 * if there are none at the first fetch.
 */
export async function startHttpThread(): Promise<void> {
  // The root directory is no socket: the fetch fails at once, without a connection.
  await fetch('http://localhost/', { unix: '/' }).catch(() => {})
}
