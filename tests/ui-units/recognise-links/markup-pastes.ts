import { A, B, C, type Paste } from './paste.ts'

/** Links in Markdown and in HTML. */
export const MARKUP_PASTES: readonly Paste[] = [
  { title: 'Markdown links', text: `Read [the report](${A}) and [more](${B} "Title").`, links: [A, B] },
  {
    title: 'Markdown links named as files',
    text: `[report.pdf](${A}), [\`Annual 2026.pdf\`](${B})`,
    links: [
      [A, 'report.pdf'],
      [B, 'Annual 2026.pdf'],
    ],
  },
  { title: 'Markdown images', text: `![A view](${A})![photo.jpg](${C})`, links: [A, [C, 'photo.jpg']] },
  { title: 'a Markdown image in a link', text: `[![logo.png](${A})](${B})`, links: [[A, 'logo.png'], B] },
  {
    title: 'Markdown references',
    text: `See [1] and [2].\n\n[1]: ${A} "One"\n[2]: <${B}>`,
    links: [A, B],
    ignored: 1,
  },
  { title: 'a Markdown link whose text is its URL', text: `[${A}](${A})`, links: [A] },
  {
    title: 'Markdown links with parentheses in the URL',
    text: '[x](https://w.test/Bag_(unit)) [y](<https://w.test/a b.pdf>)',
    links: ['https://w.test/Bag_(unit)', 'https://w.test/a%20b.pdf'],
  },
  { title: 'Markdown emphasis', text: `**${A}** _${B}_ ~~${C}~~`, links: [A, B, C] },
  {
    title: 'a Markdown table',
    text: `| File | Link |\n|---|---|\n| one.pdf | ${A} |\n| two.pdf | ${B} |`,
    links: [
      [A, 'one.pdf'],
      [B, 'two.pdf'],
    ],
  },
  { title: 'links of a chat program', text: `<${A}|report.pdf> <${B}|here>`, links: [[A, 'report.pdf'], B] },
  {
    title: 'HTML links and images',
    text: `<p>See <a class="x" href="${A}">the report</a> and <img alt="" src='${C}'>.</p>\n<script src=${B}></script>`,
    links: [A, C, B],
  },
  {
    title: 'HTML links named as files',
    text: `<ul><li><a href="${A}"><b>report</b>.pdf</a></li><li><a href="${B}" download="final.pdf">here</a></li></ul>`,
    links: [
      [A, 'report.pdf'],
      [B, 'final.pdf'],
    ],
  },
  {
    title: 'an HTML link whose text is its URL',
    text: `<a href="${A}">${A}</a><a href="${B}"><span>${B}</span></a>`,
    links: [A, B],
  },
  {
    title: 'a rich link whose text is the shortened link',
    text: `<a href="https://a.test/reports/2026/one.pdf" style="color: rgb(17, 85, 204)">https://a.test/rep…</a> <a href="${B}">https://b.test/...</a>`,
    links: ['https://a.test/reports/2026/one.pdf', B],
  },
  {
    title: 'a rich link whose text is the same link in another encoding',
    text: '<a href="https://a.test/stra%C3%9Fe%20(1)">https://a.test/straße%20%281%29</a> <a href="https://xn--bcher-kva.test/x/">https://bücher.test/x</a>',
    links: ['https://a.test/stra%C3%9Fe%20(1)', 'https://xn--bcher-kva.test/x/'],
  },
  {
    title: 'copies of a link that an e-mail program keeps beside it',
    text: `<a href="${A}" target="_blank" data-saferedirecturl="https://www.google.test/url?q=${A}">the report</a>`,
    links: [A],
  },
  {
    title: 'a Markdown link whose text is the shortened link',
    text: '[https://a.test/reports/…](https://a.test/reports/2026/one.pdf)',
    links: ['https://a.test/reports/2026/one.pdf'],
  },
  {
    title: 'forum codes',
    text: `[url=${A}]Report[/url] [url]${B}[/url], [img]${C}[/img] [IMG width=9]https://d.test/4.png[/IMG]`,
    links: [A, B, C, 'https://d.test/4.png'],
  },
  {
    title: 'forum codes with a file name or the link as their text',
    text: `[url="${A}"]report.pdf[/url] [url=${B}]${B}[/url]`,
    links: [[A, 'report.pdf'], B],
  },
  { title: 'guillemets as entities', text: `<p>&laquo;${A}&raquo; ${B}&rsaquo;</p>`, links: [A, B] },
  { title: 'an HTML link whose text is another URL', text: `<a href="${A}">${B}</a>`, links: [A, B] },
  {
    title: 'escapes in HTML',
    text: '<a href="https://a.test/?a=1&amp;b=2">x</a> &lt;https://b.test/y&gt;',
    links: ['https://a.test/?a=1&b=2', 'https://b.test/y'],
  },
  {
    title: 'escapes of a page whose tags were not copied, and a query that only looks like them',
    text: 'https://a.test/?a=1&amp;b=2&#38;c=3\nhttps://b.test/?q=x&amp;y&z',
    links: ['https://a.test/?a=1&b=2&c=3', 'https://b.test/?q=x&amp;y&z'],
  },
  {
    title: 'spaces in an HTML attribute',
    text: '<a href="https://a.test/annual report.pdf">x</a>',
    links: ['https://a.test/annual%20report.pdf'],
  },
  { title: 'images of several sizes', text: `<img srcset="${A} 1x, ${B} 2x" src="${C}">`, links: [A, B, C] },
  {
    title: 'tags over several lines',
    text: `<a\n  class="x"\n  href="${A}"\n>\n  report.pdf\n</a>`,
    links: [[A, 'report.pdf']],
    ignored: 1,
  },
  {
    title: 'an HTML document',
    text: `<!DOCTYPE html PUBLIC "-//W3C//DTD" "http://www.w3.org/TR/html4/strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml">\n<head><title>Files</title></head>\n<body><a href="/relative">r</a><a href="${A}">x</a></body></html>`,
    links: [A],
    ignored: 1,
  },
  {
    title: 'an export of bookmarks',
    text: `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n  <DT><H3 ADD_DATE="1">Papers</H3>\n  <DL><p>\n    <DT><A HREF="${A}" ADD_DATE="1" ICON_URI="https://a.test/favicon.ico" ICON="data:image/png;base64,AA==">The first</A>\n    <DT><A HREF="${B}" ADD_DATE="2">two.pdf</A>\n  </DL><p>\n</DL><p>`,
    links: [A, [B, 'two.pdf']],
    ignored: 2,
  },
  {
    title: 'a sitemap',
    text: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${A}</loc></url><url><loc>https://b.test/?a=1&amp;b=2</loc></url></urlset>`,
    links: [A, 'https://b.test/?a=1&b=2'],
  },
  {
    title: 'a feed',
    text: `<rss><item><link>${A}</link><enclosure url="${C}" length="1"/></item></rss>`,
    links: [A, C],
  },
]
