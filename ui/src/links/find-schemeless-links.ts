import type { Recognised } from './link.ts'

/** Finds `www.host/...` and `host.tld/path` in a line without links. */
export function findSchemelessLinks(line: string): Recognised[] {
  return [...line.matchAll(HOST)].flatMap(([, text = '']) => {
    const written = text.replace(/[.,;:!?'")\]}>|…]+$/, '')
    const url = `https://${written}`
    return URL.parse(url) === null ? [] : [{ kind: 'schemeless' as const, url, text: written }]
  })
}

/** Not preceded by what makes it a part of an e-mail address, a path or another scheme. */
const HOST =
  /(?<![\w@./:\\-])(www\.[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?::\d{1,5})?(?:[/?#][^\s<>"`]*)?|[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,24}(?::\d{1,5})?\/[^\s<>"`]*)/gi
