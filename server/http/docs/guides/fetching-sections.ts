import { html } from '../../html.ts'

/** Sections about how sources are fetched, on the page for people who run the service. */
export const FETCHING = [
  {
    id: 'proxy',
    title: 'Behind a proxy, and with certificates of a company',
    text: html`<p>In many companies, programs reach the internet only through a proxy. <code>--proxy</code> names it, and
<code>--no-proxy</code> names what is reached without it:</p>
<pre tabindex="0"><code>export HOLDALL_PROXY=http://proxy.example.com:3128
holdall --no-proxy 'intranet.example.com, 10.0.0.0/8' --ca /etc/ssl/company.pem</code></pre>
<table>
<tr><td>Password</td><td><code>http://USER:PASSWORD@HOST:PORT</code>, with characters such as <code>@</code> and <code>/</code> encoded
(<code>%40</code>, <code>%2F</code>). It is sent as Basic authentication; proxies that want NTLM or Kerberos alone can't be used. All users of a machine can see the arguments of a program, so put such a proxy into
<code>HOLDALL_PROXY</code>. Only the proxy gets the password. The log and the interface never show it. With <code>https://</code>, it is
encrypted on its way to the proxy, too.</td></tr>
<tr><td>Exceptions</td><td><code>example.com</code> is that host and all hosts below it; addresses and networks count for URLs that have an
address in place of a name; <code>:8080</code> at the end is for one port; <code>*</code> is all.</td></tr>
<tr><td>Private networks</td><td>The proxy looks up names, and decides which networks it connects to. Holdall still refuses URLs with
private addresses, and <code>localhost</code>, unless <code>--allow-network</code> allows them, but it can't see where a name leads. So
set up the proxy to refuse networks that your users must not reach. The address of the proxy itself needs no permission.</td></tr>
<tr><td>Failures</td><td><code>Proxy refused</code>: the proxy answered with an error, wants a password, or is not an HTTP proxy. If it can't be
reached or does not answer: <code>Connection failed</code> or <code>Timed out</code>. The log says what the proxy did. A host that
the proxy refuses is not asked for again in that job. If the proxy itself wants a password or is not an HTTP proxy, the URLs of a job fail after a few
requests.</td></tr>
<tr><td>Certificates</td><td>Many companies have a certificate authority of their own, for internal servers or because their proxy inspects
TLS connections. Sources then fail with <code>TLS certificate not trusted</code>. <code>--ca</code> trusts the certificates in a PEM
file, beside those that are built in, for sources and for webhooks. It may be repeated.
A file that <code>NODE_EXTRA_CA_CERTS</code> names is trusted, too.</td></tr>
</table>
<p>Webhooks and the archive store do not use the proxy. For sources, the service ignores <code>http_proxy</code> and
similar variables; <code>holdall zip</code> uses them, as curl does.</p>`,
  },
  {
    id: 'manners',
    title: 'Being gentle',
    text: html`<p>Holdall begins with a few connections to each host, and uses more while that goes well. It does what a host
asks for (429, <code>Retry-After</code>). You can bound it further:</p>
<table>
<tr><td><code>--limit-rate 20M</code></td><td>Bytes per second that are fetched in all, with <code>k</code>, <code>M</code> or <code>G</code> for
powers of 1,000. Users get even shares, and so do the jobs of each; what one does not need goes to the others. With a low rate, fewer
connections are used at once. Downloads of archives are not limited.</td></tr>
<tr><td><code>--host-connections 4</code></td><td>Connections to one host at most.</td></tr>
<tr><td><code>--connections 16</code></td><td>Connections to all hosts together.</td></tr>
<tr><td><code>--timeout 120</code></td><td>Seconds to wait for a source's first byte. Default: 60.</td></tr>
<tr><td><code>--user-agent 'Archiver (ann@example.org)'</code></td><td>The <code>User-Agent</code> that Holdall sends. Include an
address where source operators can reach you.</td></tr>
</table>`,
  },
]
