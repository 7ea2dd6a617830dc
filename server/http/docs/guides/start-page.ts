import { type Html, html } from '../../html.ts'
import { answerBlock, callBlock } from '../code-blocks.ts'
import { exampleCalls } from '../example-calls.ts'
import javascriptExample from '../examples/client.js' with { type: 'text' }
import curlExample from '../examples/curl.sh' with { type: 'text' }
import pythonExample from '../examples/python.py' with { type: 'text' }
import type { OpenapiDocument } from '../openapi.ts'
import { docsPage } from '../page.ts'
import { pathOfTag } from '../reference/parts.ts'

/** The first page: a first call in three languages, which tests run as they are, and what it gives. */
export function startPage({ tags }: OpenapiDocument): string {
  return docsPage({
    path: '/docs',
    title: 'A first call · Holdall',
    contents: html`<ul>${SECTIONS.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`,
    main: html`<h1>A first call</h1>
<p>Hand over a list of URLs, and get one ZIP back: create a job, follow its events until it ends, and download its archive.</p>
<section id="call"><h2>The call</h2>
<p data-signed-out>It needs an API key: <a href="/keys">create one</a>. When this browser is signed in, its key stands in the calls of
these pages.</p>
<p data-signed-in hidden>The key of this browser is in the calls of these pages. It is hidden, and copied with them.
<button type="button" data-show-key aria-pressed="false">Show key</button> It ends when you sign out, so
<a href="/keys">create a key</a> for each program.</p>
<div data-tabs="language">
${tab(
  'curl',
  html`<p>In a shell, with curl 7.82 or later.</p>
${callBlock(curlExample)}`,
)}
${tab(
  'JavaScript',
  html`<p>The client works in Bun, in Node, and in a bundle for browsers. <code>bun run build</code> makes it, and
<code>npm install PATH_OF_THE_CLONE</code> adds it to a project. Its types describe all its functions. Events and downloads connect
again by themselves.</p>
${callBlock(javascriptExample)}`,
)}
${tab(
  'Python',
  html`<p>Without packages.</p>
${callBlock(pythonExample)}`,
)}
</div></section>
<section id="answer"><h2>The answer</h2>
<p>At once, with status 201. The job is <code>pending</code>:</p>
${answerOf('createJob')}
<p>When it is <code>completed</code>, it has the link to its archive, <code>download_url</code>. The link needs no key, works until
<code>expires_at</code>, and a download that was cut off continues where it was. <code>share_url</code> is a page for people.</p>
${answerOf('getJob')}
<p>A URL that can't be fetched makes the job <code>failed</code>, unless you send <code>"fail_on_url_error": false</code>: see
<a href="/docs/using-holdall#failures">URLs that fail</a>.</p></section>
<section id="errors"><h2>When something is wrong</h2>
<p>Every error has the same shape. <code>code</code> is for programs, <code>message</code> for people. See
<a href="/docs/reference/errors">what each code means</a>.</p>
${answerOf('INVALID_REQUEST')}</section>
<section id="next"><h2>What next</h2>
<ul>${NEXT.map(([path, title, text]) => html`<li><a href="${path}">${title}</a>: ${text}</li>`)}</ul>
<p>All operations, with an example for each: ${tags.map(
      ({ name }, index) => html`${index === 0 ? '' : ' · '}<a href="${pathOfTag(name)}">${name}</a>`,
    )}</p></section>`,
  })
}

const SECTIONS = [
  ['call', 'The call'],
  ['answer', 'The answer'],
  ['errors', 'When something is wrong'],
  ['next', 'What next'],
] as const

const NEXT = [
  ['/docs/using-holdall#webhooks', 'Webhooks', 'be told when a job ends, in place of following it.'],
  ['/docs/using-holdall#early', 'Early downloads', 'begin while the archive is still packed.'],
  ['/docs/using-holdall#schedules', 'Schedules', 'pack the same list each day, and see what has changed.'],
  ['/docs/using-holdall#sites', 'Sites', 'fetch from sources that want a login.'],
  ['/docs/using-holdall#command-line', 'The command line', 'pack without a service.'],
  ['/docs/reference/settings', 'Settings', 'all flags of the service.'],
] as const

/** Without a script, the languages are one below the other. */
function tab(name: string, content: Html): Html {
  return html`<div data-tab="${name}"><h3>${name}</h3>${content}</div>`
}

function answerOf(name: string): Html {
  const call = exampleCalls().get(name)
  return call === undefined ? html`` : answerBlock(call.answer)
}
