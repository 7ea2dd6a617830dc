import { html } from '../../html.ts'
import { docsPage } from '../page.ts'

/**
 * A page for people whose programs use Eazip, another service with this API (its public reference, autumn 2026): what they
 * must change, call by call. A test sends each of these requests, and compares the response with what the page says.
 */
export function movingPage(): string {
  return docsPage({
    path: '/docs/moving-from-eazip',
    title: 'Moving from Eazip to Holdall',
    contents: html`<ul>${SECTIONS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`,
    main: html`<h1>Moving from Eazip</h1>
<p>For what both services do, Holdall has the same paths, fields and error codes. Most programs only need another address
and another key. Create a key in the web interface or with <code>holdall key create</code>, replace the address of Eazip with
that of your service, and look below for what you use.</p>
${SECTIONS.map(
  ({ id, title, rows }) => html`<section id="${id}"><h2>${title}</h2>
<table>${rows.map(
    ([call, verdict, note]) =>
      html`<tr><td><code>${call}</code></td><td>${verdict}</td><td>${note}</td></tr>`,
  )}</table></section>`,
)}`,
  })
}

type Difference = 'unchanged' | 'differs' | 'not available'

type Row = readonly [call: string, verdict: Difference, note: string]

interface Section {
  readonly id: string
  readonly title: string
  readonly rows: readonly Row[]
}

const SECTIONS: readonly Section[] = [
  {
    id: 'jobs',
    title: 'Jobs',
    rows: [
      ['POST /jobs with files', 'unchanged', 'The response is 201 with success and job_id.'],
      ['POST /jobs with urls', 'unchanged', 'The older form works, too. A job has either files or urls.'],
      [
        'zip_filename, expires_in, fail_on_url_error, metadata',
        'unchanged',
        'The limits and defaults are the same. A filename is never a template: it is taken literally.',
      ],
      ['GET /jobs', 'unchanged', 'Pages with limit, cursor and status, newest first.'],
      ['GET /jobs/stats', 'unchanged', 'One count per status, and the total.'],
      ['GET /jobs/:id', 'differs', 'A job has one ZIP: its link is download_url, and there is no zips.'],
      ['POST /jobs/:id/retry', 'unchanged', 'A failed job continues from its checkpoint.'],
      ['limits of the free plan', 'unchanged', '100 files per job, 2 GB per ZIP, 24 hours.'],
    ],
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    rows: [
      [
        'GET /webhooks, POST /webhooks, GET /webhooks/:id, DELETE /webhooks/:id',
        'unchanged',
        'The events are job.completed and job.failed.',
      ],
      [
        'POST /webhooks/:id/rotate, GET /webhooks/:id/deliveries',
        'unchanged',
        'After a rotation, the old secret signs for 24 hours, too.',
      ],
      ['https URLs', 'unchanged', 'A 2xx response within 10 seconds ends a delivery, as there.'],
      [
        'body of a message',
        'differs',
        'It is { type, timestamp, data }, signed as the Standard Webhooks specification says. What Eazip calls event is ' +
          'type, its delivery_id is the header webhook-id (the same at each attempt), and its other fields are in data.',
      ],
    ],
  },
  {
    id: 'packing',
    title: 'How a job is packed',
    rows: [
      ['mode: stored', 'unchanged', 'Every job is stored before it is downloaded, so the field is ignored.'],
      [
        'mode: stream',
        'not available',
        'The field is ignored. Wait until the job is completed, then download its ZIP.',
      ],
      [
        'max_zip_size_bytes, split_strategy, allow_oversize_zips, fail_on_zip_error',
        'not available',
        'The fields are ignored. A job makes one ZIP, and fails with ZIP_SIZE_EXCEEDED if that would be larger than the ' +
          'plan allows. Divide a longer list into several jobs.',
      ],
    ],
  },
  {
    id: 'downloads',
    title: 'Downloads',
    rows: [['GET /download/:token', 'unchanged', 'Needs no key. Supports Range and If-Range.']],
  },
  {
    id: 'keys',
    title: 'Keys',
    rows: [
      ['X-API-Key', 'unchanged', 'Keys of Eazip do not work here: create new ones.'],
      [
        'Authorization: Bearer',
        'unchanged',
        'The older form works, too. If you send both, they must be equal.',
      ],
      ['GET /api-keys, POST /api-keys, DELETE /api-keys/:id', 'unchanged', 'A key is shown once.'],
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    rows: [
      [
        '400, 401, 403, 404, 500',
        'unchanged',
        'The body has success, and error with code, message and issues.',
      ],
      [
        '405, 412, 413, 415, 416, 429, 503',
        'differs',
        'Holdall also responds with these. After 429 and 503, wait for Retry-After and try again.',
      ],
    ],
  },
]
