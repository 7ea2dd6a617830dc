// server/decisions/warnings.md says when a page is not the file.

import { splitExtension } from '../../archive/names/file-extension.ts'
import { isHtmlType } from '../../archive/names/media-type.ts'
import type { FileWarning } from '../checkpoint/checkpoint.ts'

/** What tells whether a body is what its names say. */
export interface ReceivedBody {
  /** The name that the client requested; null for none. */
  readonly filename: string | null
  /** The likely name of the entry, to which the media type may have added an extension. */
  readonly entryName: string
  /** The URL as submitted, and the one that sent the body. */
  readonly submitted: PageUrl
  readonly final: PageUrl
  /** File name of the `Content-Disposition` header. */
  readonly headerName: string | null
  readonly contentType: string | null
  /** Its first bytes, decoded: `BEGINNING_BYTES`, or as many as it has. */
  readonly beginning: Uint8Array
  readonly sizeBytes: number
}

interface PageUrl {
  readonly href: string
  readonly hostname: string
  readonly pathname: string
}

/** The first bytes of a body that may be a page. Of any other body, it keeps none. */
export class BodyBeginning {
  #bytes: Uint8Array
  #isOver = false

  constructor(bytes: Uint8Array = NO_BYTES) {
    this.#bytes = bytes
  }

  get bytes(): Uint8Array {
    return this.#bytes
  }

  /** Copies what it keeps: the piece may be freed afterwards. */
  add(piece: Uint8Array): void {
    if (this.#isOver) return
    const isKept = mayBePage(this.#bytes.length === 0 ? piece : this.#bytes)
    const missingBytes = BEGINNING_BYTES - this.#bytes.length
    if (isKept) this.#bytes = Buffer.concat([this.#bytes, piece.subarray(0, missingBytes)])
    this.#isOver = !isKept || this.#bytes.length === BEGINNING_BYTES
  }
}

const NO_BYTES = new Uint8Array()

/** So many bytes of a body tell whether it is a page, and where to sign in. */
export const BEGINNING_BYTES = 4096

/**
 * What looks wrong with a body: it is empty, or it is a page although a name or the URL says another kind of file. Null when nothing
 * does. A page that is expected, or whose names say no kind, is right.
 */
export function bodyWarning(body: ReceivedBody): FileWarning | null {
  if (body.sizeBytes === 0) return { code: 'EMPTY', message: EMPTY_MESSAGE }
  if (!mayBePage(body.beginning)) return null
  const text = new TextDecoder().decode(body.beginning)
  const first = firstTag(text)
  const isDeclared = isHtmlType(body.contentType)
  const isPage = PAGE_START.test(first) || (isDeclared && TAG_START.test(first))
  if (!isPage) return null
  const isDocument = isDeclared && DOCUMENT_START.test(first)
  // Source code and feeds may begin like a page. They are one only if the type says so, too.
  const wrong = expectedExtensions(body).find((extension) =>
    MARKUP.has(extension) ? isDocument : !PAGES.has(extension),
  )
  if (wrong === undefined) return null
  return { code: 'HTML_INSTEAD', message: pageMessage(wrong, isSignInPage(body, text)) }
}

function mayBePage([first = LESS_THAN]: Uint8Array): boolean {
  return first === LESS_THAN || first === BYTE_ORDER_MARK || SPACES.has(first)
}

/** The text from its first tag on, after spaces, comments and an XML declaration. No pattern, which a hostile page could make slow. */
function firstTag(text: string): string {
  let rest = text.trimStart()
  for (;;) {
    const end = rest.startsWith('<!--')
      ? rest.indexOf('-->', 4) + 3
      : rest.startsWith('<?xml')
        ? rest.indexOf('>') + 1
        : 0
    // In a comment that goes on after the first bytes, `indexOf` finds nothing.
    if (end < 4) return rest
    rest = rest.slice(end).trimStart()
  }
}

function pageMessage(extension: string, isSignIn: boolean): string {
  return isSignIn
    ? `The source sent a sign-in page in place of a ${extension} file. Use a link that works without signing in.`
    : `The source sent a web page in place of a ${extension} file. Open the link to see what the page says.`
}

const EMPTY_MESSAGE =
  'The source sent a file of 0 bytes. Open the link to see whether the file is still there.'

/** The extensions that say which kind of file is expected. A name that the client requested decides alone. */
function expectedExtensions(body: ReceivedBody): string[] {
  const requested = extensionOf(body.filename ?? '')
  if (requested !== '') return [requested]
  const ofUrls = [body.submitted, body.final].map(({ pathname }) => extensionOf(pathname))
  const fromUrls = ofUrls.filter((extension) => !isNoFile(extension))
  // Then the entry has its extension from the URL, where `isNoFile` has judged it.
  const isOfUrl = ofUrls[0] === extensionOf(body.entryName)
  const ofNames = [body.headerName ?? '', isOfUrl ? '' : body.entryName].map(extensionOf)
  return [...ofNames, ...fromUrls].filter((extension) => extension !== '')
}

function extensionOf(path: string): string {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return splitExtension(file).extension.toLowerCase()
}

/** A path may end in a host (`/web/2020/example.com`) or a version (`/v1.2rc1`), which says no kind. */
function isNoFile(extension: string): boolean {
  return HOST_ENDS.has(extension) || (/^\.\d/.test(extension) && !DIGITS_FIRST.has(extension))
}

function isSignInPage({ submitted, final }: ReceivedBody, text: string): boolean {
  const isRedirected = final.href !== submitted.href
  if (isRedirected && (SIGN_IN_HOST.test(final.hostname) || SIGN_IN_PATH.test(final.pathname))) return true
  return PASSWORD_FIELD.test(text) || SIGN_IN_TITLE.test(text)
}

const LESS_THAN = 0x3c
/** The first byte of a byte order mark in UTF-8. */
const BYTE_ORDER_MARK = 0xef
const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x20])

/** MIME Sniffing Standard, section 7.1, and tags that pages without these begin with. */
const PAGE_START =
  /^<(?:!doctype\s+html|(?:html|head|title|meta|link|base|script|noscript|style|body|iframe|h1|div|font|table|form|center|a|b|br|p)(?=[\s/>]))/i
const DOCUMENT_START = /^<(?:!doctype\s+html|html(?=[\s>]))/i
/** Not an image in SVG, which servers without a type for it call HTML. */
const TAG_START = /^<(?!svg[\s>])[!a-z]/i

/** Extensions of pages, and of programs that answer with pages. */
const PAGES: ReadonlySet<string> = new Set(
  '.html .htm .xhtml .xht .shtml .shtm .mhtml .mht .php .php3 .php4 .php5 .php7 .phtml .asp .aspx .ashx .cfm .cgi .do .action .jsp .jspx .jsf .pl .nsf .page'.split(
    ' ',
  ),
)

/** Files that may begin with the tags of a page: sources, feeds, images, and tables that were exported for Excel or Word. */
const MARKUP: ReadonlySet<string> = new Set(
  '.txt .text .log .md .markdown .mdx .rst .xml .xsl .xslt .svg .rss .atom .vue .svelte .astro .hbs .handlebars .mustache .ejs .erb .liquid .twig .tpl .tmpl .njk .j2 .jinja .cshtml .razor .hta .htc .eml .xls .doc'.split(
    ' ',
  ),
)

/** Frequent ends of hosts, which also end paths. */
const HOST_ENDS: ReadonlySet<string> = new Set(
  '.com .org .net .edu .gov .info .io .co .dev .app .eu .uk .us .de .fr .nl .it .es .ch .at .ru .jp .cn .br .in .au .ca'.split(
    ' ',
  ),
)

const DIGITS_FIRST: ReadonlySet<string> = new Set(['.7z', '.3gp', '.3g2', '.3mf', '.3ds'])

const SIGN_IN_HOST = /^(?:login|logon|signin|sign-in|sso|auth|oauth|accounts?|idp|adfs|saml|shibboleth)\d*\./i
const SIGN_IN_PATH =
  /(?:^|[/_.-])(?:log-?in|log_in|logon|sign-?in|sign_in|sso|saml2?|oauth2?|openid(?:-connect)?|authorize|authenticate|adfs|shibboleth|wayf)(?=$|[/_.-])/i
const PASSWORD_FIELD = /<input\b[^>]*\btype\s*=\s*["']?password\b/i
const SIGN_IN_TITLE =
  /<title[^>]*>[^<]*\b(?:log ?[io]n|sign[- ]?in|single sign[- ]on|authentication required|anmelden|anmeldung|connexion|iniciar sesi[oó]n|accedi)\b/i
