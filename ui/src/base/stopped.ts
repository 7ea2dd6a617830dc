/**
 * Why requests, streams and listeners are given up when a page is left. One object for all of them: a new error holds the functions
 * of its stack, among them those that remove the page. Each page that is left would hold the one before it, with all of its elements.
 */
export const STOPPED = new DOMException('This is no longer needed.', 'AbortError')
