import { type Html, html } from '../../html.ts'
import { callBlock } from '../code-blocks.ts'
import { docsPage } from '../page.ts'

/** A page for people who use Holdall from a program or the command line. */
export function usingPage(): string {
  return docsPage({
    path: '/docs/using-holdall',
    title: 'Using Holdall',
    contents: html`<ul>${SECTIONS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`,
    main: html`<h1>Using Holdall</h1>
<p>What a job can do, one subject after another, and the commands that need no service. <a href="/docs">A first call</a> shows how a
program creates a job and downloads its ZIP.</p>
${SECTIONS.map(
  ({ id, title, text, example }) => html`<section id="${id}"><h2>${title}</h2>
${text}${example === undefined ? '' : callBlock(example)}</section>`,
)}`,
  })
}

interface Section {
  readonly id: string
  readonly title: string
  readonly text: Html
  readonly example?: string
}

const SECTIONS: readonly Section[] = [
  {
    id: 'early',
    title: 'Download while it is packed',
    text: html`<p>While a job is pending or processing, <code>early_download_url</code> of <code>GET /jobs/:id</code> sends its archive as
it grows: first what is ready, then the rest. After a lost connection, <code>curl -C -</code>, <code>wget -c</code> and browsers
resume where they stopped, even if the service was restarted. If the job fails, the connection breaks off, and curl ends with code 18 or 56. After
completion the same link sends the finished archive, which has the same bytes and the same <code>ETag</code>.</p>
<p>Names are fixed in URL order, so a slow URL can delay the files after it. It does not if you name the files
(<code>files[].filename</code>).</p>`,
    example: 'curl -C - -o archive.zip "$EARLY_DOWNLOAD_URL"',
  },
  {
    id: 'look-inside',
    title: 'The links of a page',
    text: html`<p><code>POST /links</code> with <code>{"url": "..."}</code> lists what a web page, a feed, a sitemap or a directory listing links
to, each link with its text, the name of its file and its kind. No script is run: <code>meta.needs_script</code> says whether that
matters. With <code>"folders": true</code>, the folders of a listing are read, too. Without a service:</p>
<pre tabindex="0"><code>holdall links https://example.org/reports/ --kind document --match '*2026*' | holdall zip -o reports.zip -i -</code></pre>`,
  },
  {
    id: 'check',
    title: 'Before the start',
    text: html`<p><code>POST /probe</code> with <code>urls</code> or <code>files</code> returns one line of JSON per URL as soon as its host
responds: <code>status</code>, <code>size</code>, <code>name</code>, <code>error</code> and <code>warning</code>. Nothing is fetched beyond
that, and nothing is stored. Close the connection to stop. The response to <code>POST /jobs</code> lists in
<code>hints</code> each ignored field whose name resembles a known one.</p>`,
    example:
      'curl -sNH "Authorization: Bearer $KEY" 127.0.0.1:8420/probe --json \'{"urls": ["https://example.org/"]}\'',
  },
  {
    id: 'failures',
    title: 'URLs that fail',
    text: html`<p>By default, a job fails if any URL can't be fetched: its <code>failure</code> says why, and <code>errors</code> names each such
URL, with a reason such as <code>HTTP 404</code>. With <code>"fail_on_url_error": false</code>, such URLs are left out of the
archive. <code>POST /jobs/:id/retry</code> continues a failed job from what it has fetched, with
new URLs in <code>replace</code>, or without the failed ones by <code>skip_failed</code>.</p>`,
  },
  {
    id: 'slow-hosts',
    title: 'Hosts that are slow or far away',
    text: html`<p>Holdall begins with eight connections to a host, and adds connections, up to 32, while they raise
throughput. When they don't, it closes some. Many small files from far away come faster with <code>--host-connections 64</code>, if the host
allows so many.</p>
<p>Some hosts send only so much per second over each connection. If such a host takes ranges, a large file comes in parts over several
connections at once. Otherwise the file arrives at that host's rate. More connections don't help with a host that limits their
total: Holdall then stays with few. A host that says that its clients must wait (429, or 503 with <code>Retry-After</code>) gets no requests
during that time; other hosts are not delayed.</p>
<p>Sources are fetched by HTTP/1.1, which every host speaks. To be gentle to a host, give it few connections: <code>--host-connections 2</code>, for the service or for
<code>holdall zip</code>. Large files then come in two parts at most.</p>`,
  },
  {
    id: 'sites',
    title: 'Sources that want a login',
    text: html`<p>Save what a source wants to see, such as a token, a cookie, or a password (<code>Authorization: Basic</code>). From
now on, each of your jobs sends it to this origin: the scheme, the host and the port must be the same. No other origin receives it, not even
after a redirect. <code>"include_subdomains": true</code> adds the hosts below. Values are stored sealed, and no answer contains one. Change
or delete a site with <code>PATCH</code> and <code>DELETE /sites/:id</code>.</p>
<p>The owner of the service may add <code>"shared": true</code>: all users' jobs then use the site, and the users see its name and origin
only. For one job alone, give <code>"headers": [{"origin": "https://files.example.org", "headers": [...]}]</code> to
<code>POST /jobs</code>; they take precedence over those of sites. <code>"use_sites": false</code> uses no site.</p>
<p>When a source answers 401 or 403, the entry has a <code>warning</code> <code>LOGIN_REFUSED</code> that names the site, and the site
has a <code>refused_at</code> until you enter its headers again, or a later job is accepted.</p>`,
    example: `curl -H "Authorization: Bearer $KEY" http://127.0.0.1:8420/sites --json '{
  "origin": "https://files.example.org",
  "name": "Company files",
  "headers": [{ "name": "Authorization", "value": "Bearer the-token" }]
}'
`,
  },
  {
    id: 'base',
    title: 'An archive from an earlier one',
    text: html`<p>With <code>"base": {"job_id": "...", "reuse": "unchanged"}</code>, a job copies entries from the archive of an earlier job.
It asks each source whether its file has changed (<code>If-None-Match</code>, <code>If-Modified-Since</code>), copies after 304, and
fetches the rest. With <code>"reuse": "all"</code> it copies without asking, for example to add URLs to an archive.
<code>reused_count</code> counts the copies.</p>`,
  },
  {
    id: 'schedules',
    title: 'The same list again and again',
    text: html`<p><code>POST /schedules</code> packs a list each <code>hour</code>, <code>day</code>, <code>week</code> or
<code>month</code>, counted from now, or by five fields of cron: <code>{"cron": "0 6 * * 1"}</code> is each Monday at 06:00. Each run is a
job like any other, within the plan and the quota, and copies from the newest archive what its sources confirm. Runs never overlap. If the
computer was asleep when runs were due, one run starts when it wakes. <code>POST /schedules/:id/run</code> begins one now. After five failed runs in
a row the schedule is paused; <code>paused_reason</code> and the webhook message <code>schedule.paused</code> say why.</p>
<p>If a source in the newest archive fails, its last good file is copied, and <code>kept_from</code> on its entry says when its source
last had it.
<code>"on_gone": "leave_out"</code> leaves it out, and <code>"fail"</code> fails the run. <code>changes</code> of the run and of its job
count what was <code>added</code>, <code>changed</code>, <code>unchanged</code>, <code>kept</code> and <code>gone</code>, and
<code>GET /jobs/:id/entries?change=changed</code> lists the files.</p>
<p>The newest four archives stay (<code>keep</code>), however old they are: one goes when a newer one is complete, never before.
<code>latest_url</code> always opens the newest complete one, and its page offers the earlier ones. With
<code>"page": {"url": "...", "kind": "document", "match": "*.pdf"}</code> in place of <code>urls</code>, each run takes the links of a page,
as <code>POST /links</code> finds them. With <code>"first_job_id": "..."</code>, an archive that is ready is the first one, and the next
run copies from it. On the machine of the service:</p>
<pre tabindex="0"><code>holdall schedule add Prices --every day -i list.txt
holdall schedule add Reports --cron '0 6 * * 1' --time-zone Europe/Berlin --page https://example.org/reports/ --kind document
holdall schedule list
holdall schedule run Prices
holdall schedule pause Prices</code></pre>`,
    example: `curl -H "Authorization: Bearer $KEY" http://127.0.0.1:8420/schedules --json '{
  "name": "Prices",
  "urls": ["https://example.org/prices.csv", "https://example.com/prices.pdf"],
  "every": { "cron": "0 6 * * *" },
  "time_zone": "Europe/Berlin"
}'
`,
  },
  {
    id: 'warnings',
    title: 'Files that look wrong',
    text: html`<p>A source that wants you to sign in often sends a page with status 200. A web page in place of a file
(<code>HTML_INSTEAD</code>), and a file of 0 bytes (<code>EMPTY</code>), are in the ZIP, and their entries have a <code>warning</code>.
<code>warning_count</code> of the job counts them, and <code>GET /jobs/:id/entries?warning=true</code> lists them. With
<code>"fail_on_warning": true</code> they are URLs that can't be fetched: <code>Unexpected HTML</code> and <code>Empty file</code>.</p>
<p>To put other URLs in their place, call <code>POST /jobs/:id/retry</code> of the completed job with
<code>"replace": [{"position": 0, "url": "..."}]</code>. It makes a new job, whose id it returns: the new URLs are fetched, and the rest is
copied out of the archive, which stays until it expires. Once the new archive is complete, the <code>share_url</code> of the old one opens
it: who has the link gets the better archive. <code>"replaces": "..."</code> in <code>POST /jobs</code>, with the id of a job, does so for
any new job.</p>`,
  },
  {
    id: 'checksums',
    title: 'Checksums',
    text: html`<p>With <code>"manifest": true</code>, the ZIP gets two more files at its end. <code>sources.jsonl</code> says where each file came
from, when, and with which SHA-256, and for a kept file when its source last had it (<code>kept_from</code>): a line per file, without passwords and signatures of URLs. <code>SHA256SUMS</code> has the same
checksums, for <code>sha256sum -c SHA256SUMS</code> after unpacking, and for <code>holdall verify</code>. <code>file_count</code> counts
both. <code>GET /jobs/:id/manifest</code> gives the lines without the ZIP.</p>
<p>A file in <code>files</code> may specify the expected <code>sha256</code>. If the digest differs, the file is fetched once more, and then
its URL fails with <code>Checksum mismatch</code>. In both cases <code>GET /jobs/:id/entries</code> tells the <code>sha256</code>.</p>`,
    example: `curl -H "Authorization: Bearer $KEY" http://127.0.0.1:8420/jobs --json '{
  "files": [{
    "url": "https://example.org/report.pdf",
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
  }],
  "manifest": true
}'
`,
  },
  {
    id: 'webhooks',
    title: 'Webhooks, e-mail and ntfy',
    text: html`<p><code>POST /webhooks</code> names a URL to which Holdall posts a message when a job ends. The secret is shown once. Messages
are JSON with <code>type</code>, <code>timestamp</code> and <code>data</code>
(<a href="/docs/reference/schemas#WebhookMessage">their fields</a>). They follow the Standard Webhooks specification, so its libraries
(<code>standardwebhooks</code> for JavaScript, Python and others) verify them. A webhook must be <code>https</code>, except for addresses
that <code>--allow-network</code> allows. Answer with 2xx within ten seconds. Otherwise there are up to seven more attempts in about 32 hours, with the same
<code>webhook-id</code>, by which you know a message that you already have. <code>410</code> disables the webhook, and so do five days
without a success. <code>POST /webhooks/:id/test</code> sends a <code>ping</code>, and
<code>GET /webhooks/:id/deliveries</code> lists what was sent in the last 30 days.</p>
<p>To notify people, use <code>POST /notifiers</code>: <code>{"kind": "email", "to": "ann@example.org"}</code> if the service has a mail
server, or <code>{"kind": "ntfy", "url": "https://ntfy.sh/my-topic"}</code> with an access <code>token</code> if the topic needs one.
<code>"on": ["failed"]</code> reports failures only, and <code>"changed"</code> reports a schedule only if files
differ from the previous archive. The message says in words what was packed and what failed, with a link to the
page for receivers. Whoever knows an ntfy topic that needs no token can read it, so choose a name that nobody guesses.</p>`,
  },
  {
    id: 'command-line',
    title: 'Without a service',
    text: html`<p>This is the same engine, without a limit on the number of URLs. A list has one URL per line, then optionally a tab and
the name in the ZIP, and another tab and <code>sha256:</code> with the digest that the file must have. The name may be empty. <code>-</code> is standard input.</p>
<pre tabindex="0"><code>holdall zip -o pages.zip https://example.org/ https://example.com/
holdall zip -o files.zip -i list.txt --keep-going
holdall zip --remember -o monday.zip -i list.txt
holdall zip --base monday.zip -o tuesday.zip -i list.txt</code></pre>
<p>A run that is interrupted keeps <code>pages.zip.part</code> and <code>pages.zip.part.json</code>, and the same command continues from
there. <code>--keep-going</code> leaves URLs out that fail. Files that look wrong are listed; with <code>--fail-on-warning</code> they count
as failed, and the exit code is 1. <code>--manifest</code> adds a list of the sources and of their checksums. <code>--remember</code> also writes <code>monday.zip.sources.json</code>, with
which <code>--base</code> fetches only what has changed; with <code>--reuse all</code>, entries are copied without asking their sources.
A proxy in <code>https_proxy</code>, <code>http_proxy</code>, <code>all_proxy</code> and <code>no_proxy</code> is used, as by curl, unless
<code>--proxy</code> names another one. <code>--limit-rate 5M</code> keeps bandwidth free for other programs.
<code>--json</code> prints events. The exit code is 0 for success, 1 for failure and 2 for wrong usage.</p>`,
  },
  {
    id: 'check-and-download',
    title: 'Checking and downloading',
    text: html`<p>Neither command needs a service. <code>verify</code> checks any ZIP file: its structure, the CRC-32 of every file, and the
digests in <code>SHA256SUMS</code> where it has such a list. It says each finding in a sentence, and unpacks nothing to the disk.
<code>--json</code> prints one object. The exit code is 0 if all is right, 1 if something is found, and 2 if there is no such file. In the
interface, the page <a href="/check">Check a ZIP</a> does the same with a file that you drop there. It is not uploaded.</p>
<pre tabindex="0"><code>holdall verify tuesday.zip
holdall pull https://holdall.example/share/TOKEN -o tuesday.zip --have monday.zip</code></pre>
<p><code>pull</code> downloads an archive by its link: that of a share page, <code>download_url</code>, or any other link to a ZIP file.
It uses several connections, and a run that is interrupted keeps <code>tuesday.zip.part</code>, from where the same command continues.
With <code>--have</code>, files that an older archive has are copied from it: those with the same CRC-32 and sizes, and the same SHA-256
where the new archive lists it. Everything else comes from the server. A server without ranges or without a strong entity tag sends the
whole file over one connection.</p>`,
  },
  {
    id: 'logins',
    title: 'Links behind a login, without a service',
    text: html`<p>Sign in with your browser, open its developer tools, and choose <i>Copy as cURL</i> at the request (<i>bash</i> or
<i>cmd</i>). Holdall packs the URLs of such commands, each with its own headers. A command that does more than fetch is refused.</p>
<pre tabindex="0"><code>holdall zip -o report.zip --curl copied.txt
holdall zip -o files.zip -i list.txt --cookies cookies.txt
holdall zip -o files.zip -i list.txt --netrc
holdall zip -o files.zip -i list.txt -H @headers.txt</code></pre>
<p><code>--cookies</code> takes a file in Netscape's format, as extensions of browsers export it. Each cookie is sent according to
its domain, path, <code>Secure</code> flag and expiry date. <code>--netrc</code> takes <code>.netrc</code> in the home directory, <code>--netrc-file</code> another one. Its
logins go to the hosts of the list, and by <code>https</code> to hosts that redirects lead to. <code>-H 'Name: value'</code> goes to the
origins of the list alone, and <code>@headers.txt</code> has one such header per line. Other users of the machine can see what is on a
command line, but not what is in a file. Nothing of a login is stored, so the same command continues with the same options.</p>`,
  },
  {
    id: 'users',
    title: 'Users and keys',
    text: html`<p>These commands work while the service runs. A user without a name is the owner.</p>
<pre tabindex="0"><code>holdall user add anna --plan free
holdall sign-in-link --user anna
holdall key create --user anna --name "nightly report"</code></pre>
<p>A key is shown once. Keys are stored as digests, so a lost key can't be recovered: create another one. A key that a browser got by a
sign-in link expires 30 days after its last use.</p>`,
  },
]
