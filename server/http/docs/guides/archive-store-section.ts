import { html } from '../../html.ts'

/** The section about archives in a bucket, on the page for people who run the service. */
export const ARCHIVE_STORE = {
  id: 'archive-store',
  title: 'Archives in a bucket',
  text: html`<p>Jobs are packed on the local disk. With <code>--archive-store</code>, a finished archive is then uploaded to a bucket of
AWS S3, or of a server with the same protocol, and deleted from the disk. Its job is <code>completed</code> when the bucket has it.</p>
<pre tabindex="0"><code>export AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... AWS_REGION=eu-west-1
export AWS_ENDPOINT_URL=https://s3.example.org   # not for AWS itself
holdall --archive-store s3://zips/node1</code></pre>
<p>The credentials must permit <code>s3:PutObject</code>, <code>s3:GetObject</code>, <code>s3:DeleteObject</code>,
<code>s3:AbortMultipartUpload</code>, <code>s3:ListMultipartUploadParts</code>, <code>s3:ListBucket</code> and
<code>s3:ListBucketMultipartUploads</code>. For a systemd service, put the variables in a file that only root can read, and name it with <code>EnvironmentFile=</code>
(<code>systemctl edit holdall</code>). Requests name the bucket in their path, and not in the host name.</p>
<table>
<tr><td>Downloads</td><td>Our links stay the same. They redirect to a signed link of the bucket, which works for an hour, so clients see the
address of the bucket and must reach it. A deleted archive is gone from the bucket within seconds, and its link ends with it.
<code>holdall secret rotate --end-links</code> does not end the links of the bucket. With <code>--archive-store-proxy</code>,
archives go through Holdall, at most 96 at once, in chunks without a length. Single files always do.</td></tr>
<tr><td>Failures</td><td>While the bucket does not respond or refuses the credentials, finished archives wait on the local disk, and
other jobs run until that disk is full. <code>/health</code> and <code>/service</code> say why. Nothing is lost: uploads are
attempted until they succeed. After a crash, an upload continues: parts that the bucket has are not sent again.</td></tr>
<tr><td>Backups</td><td><code>holdall backup</code> with the same settings copies the archives of the bucket into the backup; restored, they
are on the disk. With <code>--exclude-archives</code>, they stay in the bucket, and a restored service with the same
<code>--archive-store</code> finds them.</td></tr>
<tr><td>Changes</td><td>Without <code>--archive-store</code>, downloads of archives in the bucket return 503 until you restore the setting. To move to another
bucket, copy the objects, and start with its address.</td></tr>
<tr><td>Leftovers</td><td>Holdall deletes expired archives itself, and aborts unfinished uploads. Still, set a lifecycle rule that
aborts unfinished uploads after some days, in case a node never starts again.</td></tr>
</table>
<p><strong>The limits of one node.</strong> Each node has one packing process and one database. A bucket removes the limit of the disk. These
limits remain, measured over loopback on one machine with two cores: 5,000 files of 20 KB in 0.7 seconds, 200 jobs of 10 files in 1.5
seconds, and text compressed at 90 MB per second. Uploads come on top of that: four run at once, at the speed of the network.</p>
<p><strong>Several nodes.</strong> Nodes share nothing but the bucket: give each its own data directory, host name and prefix
(<code>s3://zips/node1</code>, <code>s3://zips/node2</code>), and each user an account on one node. Never start two services on
copies of one database.</p>`,
}
