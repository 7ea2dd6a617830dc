import caddyfile from '../../../deploy/Caddyfile' with { type: 'text' }
import dockerfile from '../../../deploy/Dockerfile' with { type: 'text' }
import unit from '../../../deploy/holdall.service' with { type: 'text' }
import litestreamConfiguration from '../../../deploy/litestream.yml' with { type: 'text' }
import nginxConfiguration from '../../../deploy/nginx.conf' with { type: 'text' }
import { type Html, html } from '../../html.ts'
import { docsPage } from '../page.ts'
import { ARCHIVE_STORE } from './archive-store-section.ts'
import { FETCHING } from './fetching-sections.ts'

/** A page for people who run the service on a server. Tests use the files on it as they are. */
export function serverPage(): string {
  return docsPage({
    path: '/docs/running-on-a-server',
    title: 'Running Holdall on a server',
    contents: html`<ul>${SECTIONS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`,
    main: html`<h1>Running on a server</h1>
<p>Holdall is one executable and one data directory. It needs nothing else. It listens on this machine only, so put a
reverse proxy with TLS in front of it.</p>
${SECTIONS.map(
  ({ id, title, text, file }) => html`<section id="${id}"><h2>${title}</h2>
${text}${file === undefined ? '' : html`<pre tabindex="0"><code>${file}</code></pre>`}</section>`,
)}`,
  })
}

interface Section {
  readonly id: string
  readonly title: string
  readonly text: Html
  readonly file?: string
}

const SECTIONS: readonly Section[] = [
  {
    id: 'systemd',
    title: 'systemd',
    text: html`<p>The unit gives Holdall a user of its own that can write only to <code>/var/lib/holdall</code>. systemd starts it
at boot, and again if it stops responding. As root, <code>holdall install</code> writes the unit and starts it:</p>
<pre tabindex="0"><code>install holdall /usr/local/bin/
holdall install
holdall sign-in-link --data /var/lib/holdall</code></pre>
<p>Commands such as the last one need root, which alone can enter that directory.</p>`,
    file: unit,
  },
  {
    id: 'docker',
    title: 'Docker',
    text: html`<p>The image contains a small Debian and the executable. The database and the archives are in the
volume. <code>docker exec holdall holdall sign-in-link</code> prints a sign-in link: use the address of your service in place of
<code>localhost</code>, or set <code>HOLDALL_BASE_URL</code>.</p>`,
    file: dockerfile,
  },
  {
    id: 'nginx',
    title: 'nginx',
    text: html`<p>Forwarded headers count only with <code>--trust-proxy</code>, since any client can send them. Without it, links begin with
<code>http://</code>, and all clients share the limits of one address: on wrong keys, and 1,024 connections at a time (half of all, if
that is less). The log says so when they are reached.</p>`,
    file: nginxConfiguration,
  },
  { id: 'caddy', title: 'Caddy', text: html``, file: caddyfile },
  {
    id: 'path',
    title: 'A path below a host',
    text: html`<p>Holdall needs a host name or a port of its own. It cannot be served below a path such as
<code>https://example.org/holdall/</code>, because its interface and its pages use absolute paths.</p>`,
  },
  {
    id: 'upgrades',
    title: 'Upgrades',
    text: html`<p>Replace the executable and restart the service. Running jobs stop at their checkpoints and continue after the start,
and downloads can be resumed. A new release converts the database when it starts. An older executable refuses a database that
a newer one has converted, so make a backup first (<code>holdall backup</code>) if you may want to go back.</p>`,
  },
  {
    id: 'backup',
    title: 'Backup',
    text: html`<p>The first command makes a backup while the service runs. The second one restores it to an empty data directory, before
the service starts. A damaged backup is refused.</p>
<pre tabindex="0"><code>holdall backup /mnt/backups/monday.tar --data /var/lib/holdall
holdall restore /mnt/backups/monday.tar --data /var/lib/holdall</code></pre>
<p>A backup contains the database, its keys and all finished archives; <code>--exclude-archives</code> keeps it small. A target
that ends with a slash becomes a directory, in which archives on the same disk are hard links. It is first written to
<code>monday.tar.part</code>, read back and checked, and then renamed: a backup that exists is whole. An existing file is replaced; an
existing directory must be empty. If the file of an archive is missing or damaged, the backup contains everything else, and the command
says which, and ends with exit code 1. Archives are found where the service keeps them, whether that is <code>--archives</code> or not.
<code>GET /service</code> shows the time and size of the last backup. Keep backups on another disk: a
backup that fills the disk of the archives stops jobs.</p>
<p>Run a restore as the user that runs the service. It checks every byte. Links, users, keys and webhooks work as before; jobs that were
not completed are fetched again. If it is interrupted, run it again: Holdall refuses to start with that directory until the restore is
complete. Don't start the restored service while the original one runs: both would work on the same jobs. <code>tar -xf</code> and
<code>sha256sum -c SHA256SUMS</code> look into a backup without Holdall.</p>`,
  },
  {
    id: 'replication',
    title: 'Replication of the database',
    text: html`<p>Litestream (litestream.io) copies each change of the database to another disk or an object store
while the service runs. Holdall keeps its database in WAL mode, which Litestream needs. For a bucket, replace <code>type</code> and
<code>path</code> below by <code>type: s3</code> with <code>bucket</code>, <code>path</code>, <code>region</code>, <code>endpoint</code> and
<code>force-path-style: true</code>; the credentials are in <code>AWS_ACCESS_KEY_ID</code> and <code>AWS_SECRET_ACCESS_KEY</code>.
<code>bun run soak</code> runs Litestream 0.3.13 with a directory and with an S3 server, kills both programs, restores the copy, and
starts Holdall on it. To restore, stop Holdall, and run
<code>litestream restore -o NEW_DIRECTORY/holdall.db /var/lib/holdall/holdall.db</code>.</p>
<p>It copies <code>holdall.db</code> alone. Copy <code>signing-secrets.json</code> yourself, once and after each rotation: without
it, all links stop working. Copy <code>sealing-key</code> once: without it, the logins of all sites must be entered again. Copy <code>settings.json</code> after each change of settings. Archives need a backup of their own: after the database is restored, downloading an archive whose file is missing
returns 503, and archives that the database does not know are set aside, not deleted.</p>`,
    file: litestreamConfiguration,
  },
  {
    id: 'secrets',
    title: 'Keys and secrets',
    text: html`<p>Change them from time to time, and at once if somebody else may have read them. The service keeps running.</p>
<table>
<tr><td>Download links</td><td><code>holdall secret rotate</code> signs links with a new secret. Existing links work until their
archives expire. <code>holdall secret rotate --end-links</code> ends them at once, which is what you want if the secret was read:
whoever has it can make links to archives.</td></tr>
<tr><td>API keys</td><td><code>holdall key create</code> makes another key. When all programs use it, <code>holdall key revoke</code>
ends the old one. <code>holdall key list</code> shows when each was last used.</td></tr>
<tr><td>Webhooks</td><td><code>POST /webhooks/:id/rotate</code> returns a new secret; for 24 hours, messages are signed with both.</td></tr>
<tr><td>Mail server, proxy</td><td>Enter the other password on the page Service, or restart the service with another
<code>--smtp</code> or <code>--proxy</code>.</td></tr>
<tr><td>Metrics</td><td>Restart the service with another <code>--metrics-token</code>.</td></tr>
<tr><td>Backups</td><td>A backup contains the secrets that were valid when it was made. Delete backups from before
<code>--end-links</code>, or run that command again after you restore such a backup.</td></tr>
</table>`,
  },
  {
    id: 'settings',
    title: 'Settings while it runs',
    text: html`<p>The owner changes limits of plans, allowed networks, the base URL, the proxy, rates, connections and the mail server on the
page Service, or with <code>PATCH /service/settings</code>. The new values apply immediately; running jobs keep the limits of their plan. They are kept in
<code>settings.json</code> in the data directory, where passwords are sealed. A flag or a variable wins over that file, and the page says so.</p>
<p>A stolen key alone must not be enough to open your network or redirect your users. So allowed networks, the base URL, the proxy and the mail
server need a code, which works once. Print it on the machine, with the data directory of the service:</p>
<pre tabindex="0"><code>holdall settings code --data /var/lib/holdall</code></pre>
<p>With Docker, it is <code>docker exec holdall holdall settings code</code>. <code>holdall settings</code> lists what was changed. If a start refuses the file, it
names the setting: correct it there, or delete the file.</p>`,
  },
  {
    id: 'mail',
    title: 'Mail',
    text: html`<p>Users are told of their archives by e-mail if <code>--smtp</code> names a mail server, as in
<code>smtps://USER:PASSWORD@mail.example.org?from=holdall@example.org</code>. <code>smtps</code> is TLS, on port 465 if none is named.
<code>smtp</code> is port 587 with STARTTLS, without which a login is not sent, except to this machine. Without <code>from</code>, mail
comes from the user name, if that is an address. Characters such as <code>@</code> and <code>/</code> in the password are written as
<code>%40</code> and <code>%2F</code>. <code>--ca</code> trusts the server's own certificate. Name <code>--base-url</code>, too, so that
links lead to where users reach the service.</p>`,
  },
  ...FETCHING,
  ARCHIVE_STORE,
  {
    id: 'sizing',
    title: 'Sizing',
    text: html`<p>These figures were measured on one machine with two cores.</p>
<table>
<tr><td>Memory</td><td>75 MB idle, about 300 MB with eight jobs at once, and briefly up to 500 MB if each job has 5,000 URLs
of maximum length. Plan 1 GB. A container needs 256 MB at least.</td></tr>
<tr><td>Processor</td><td>Two cores are enough for the default of eight jobs. Text is compressed at about 90 MB per second, and other
files are packed at the speed of network and disk.</td></tr>
<tr><td>Disk</td><td>The archives that are kept at the same time: what is packed per day, times the days until expiry. Add the size of the
largest archive for each job that runs at the same time. Near the end of the disk, Holdall refuses new jobs.</td></tr>
<tr><td>Far clients</td><td>In each round trip, one connection can carry at most one send buffer, 4 MB on most Linux systems: that
is 25 to 40 MB per second at 100 ms. <code>sysctl -w net.ipv4.tcp_wmem='4096 16384 33554432'</code> allows more.</td></tr>
<tr><td>Descriptors</td><td>At least 4,096, with one per client connection and one per download. The unit allows 65,536.</td></tr>
</table>`,
  },
]
