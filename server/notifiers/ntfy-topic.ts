/**
 * Whether a URL names a topic of an ntfy server, and nothing else: a password or a query would be shown to whoever reads the list of
 * notifiers. A text that is no URL is refused elsewhere.
 */
export function isTopicUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null) return true
  return TOPIC.test(url.pathname) && url.username + url.password + url.search + url.hash === ''
}

/** As ntfy checks its names. */
const TOPIC = /\/[-_A-Za-z0-9]{1,64}$/
