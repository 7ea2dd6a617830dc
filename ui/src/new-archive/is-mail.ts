/** Whether a text is a saved e-mail: it begins with header fields, a sender among them (RFC 5322, section 3.6). */
export function isMail(start: string): boolean {
  const [header = ''] = start.split(/\r?\n\r?\n/, 1)
  return /^[\w-]+:[ \t]/.test(header) && /^from:/im.test(header) && OTHER_FIELDS.test(header)
}

const OTHER_FIELDS = /^(?:subject|date|message-id|mime-version|received):/im
