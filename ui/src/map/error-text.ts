/** Returns why a link failed, in people's words. A response with an error status has its number behind them. */
export function errorText(error: string): string {
  const status = /^HTTP (\d{3})$/.exec(error)?.[1]
  if (status === undefined) return error
  return `${STATUS_TEXTS[status] ?? (status.startsWith('5') ? 'Server error' : 'Not available')} (${status})`
}

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  401: 'Sign-in required',
  403: 'No access',
  404: 'Not found',
  410: 'No longer available',
  429: 'Too many requests',
}
