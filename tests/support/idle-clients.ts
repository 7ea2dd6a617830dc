/** What a client sends before it becomes idle, by what the title of a test says of it. */
export const SENT_BEFORE_IDLE = {
  'send nothing': '',
  'send half a request': 'GET /health HTTP/1.1\r\nHo',
  'have had a response': 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n',
} as const
