import { A, B, C, type Paste } from './paste.ts'

const NAMED = [
  [A, 'first.pdf'],
  [B, 'second.pdf'],
] as const

/** Links in tables and in JSON. */
export const DATA_PASTES: readonly Paste[] = [
  {
    title: 'CSV with the name after the link',
    text: `url,name\n${A},first.pdf\n${B},second.pdf`,
    links: NAMED,
  },
  {
    title: 'CSV with the name before the link',
    text: `name,url\nfirst.pdf,${A}\nsecond.pdf,${B}`,
    links: NAMED,
  },
  { title: 'CSV without a header', text: `first.pdf,${A}\nsecond.pdf,${B}`, links: NAMED },
  {
    title: 'CSV without a header, with the name after the link',
    text: `${A},first.pdf\n${B},second.pdf`,
    links: NAMED,
  },
  {
    title: 'CSV with an unknown header',
    text: `Bezeichnung;Fundort\nfirst.pdf;${A}\nsecond.pdf;${B}`,
    links: NAMED,
  },
  {
    title: 'semicolons with a German header',
    text: `Titel;Link\nJahresbericht;${A}\nAnhang;${B}`,
    links: [
      [A, 'Jahresbericht'],
      [B, 'Anhang'],
    ],
  },
  { title: 'semicolons without a header', text: `${A};first.pdf\n${B};second.pdf`, links: NAMED },
  { title: 'TSV, as copied from a spreadsheet', text: `first.pdf\t${A}\nsecond.pdf\t${B}`, links: NAMED },
  {
    title: 'TSV with columns that are not names',
    text: `id\tlink\tsize\tfile\n1\t${A}\t3 MB\tfirst.pdf\n2\t${B}\t4 MB\tsecond.pdf`,
    links: NAMED,
  },
  {
    title: 'quoted fields',
    text: `"url","path"\n"${A}","first, ""new"".pdf"\n"${B}","second.pdf"`,
    links: [
      [A, 'first, "new".pdf'],
      [B, 'second.pdf'],
    ],
  },
  {
    title: 'a column of folders',
    text: `name,url,folder\nfirst.pdf,${A},"Papers, old"\n,${B},Papers`,
    links: [[A, 'Papers, old/first.pdf'], B],
  },
  { title: 'a table with sizes and no names', text: `url,size\n${A},12\n${B},34`, links: [A, B] },
  {
    title: 'commas in the links of the last column',
    text: 'name,url\nmap.png,https://m.test/?at=1,2',
    links: [['https://m.test/?at=1,2', 'map.png']],
  },
  {
    title: 'commas in the links of the first column',
    text: 'url,name\nhttps://i.test/w_300,h_200/a.jpg,First\nhttps://i.test/b.jpg,"Second, new"\nhttps://i.test/c.jpg,Third, new',
    links: [
      ['https://i.test/w_300,h_200/a.jpg', 'First'],
      ['https://i.test/b.jpg', 'Second, new'],
      ['https://i.test/c.jpg', 'Third, new'],
    ],
  },
  {
    title: 'spaces in the links of a table',
    text: 'name;url\nFirst;https://a.test/My File (1).pdf\nSecond;https://a.test/My File (2).pdf',
    links: [
      ['https://a.test/My%20File%20(1).pdf', 'First'],
      ['https://a.test/My%20File%20(2).pdf', 'Second'],
    ],
  },
  {
    title: 'two columns of links',
    text: `page,file\n${A},${B}\n${C},https://d.test/4`,
    links: [A, B, C, 'https://d.test/4'],
  },
  {
    title: 'rows that were written otherwise',
    text: `name,url\nfirst.pdf,${A}\nsecond.pdf,${B}\n\nx.pdf,https://x.test/1\nalso ${C} and https://d.test/4\ny.pdf,https://y.test/2\nz.pdf,https://z.test/3`,
    links: [
      ...NAMED,
      ['https://x.test/1', 'x.pdf'],
      C,
      'https://d.test/4',
      ['https://y.test/2', 'y.pdf'],
      ['https://z.test/3', 'z.pdf'],
    ],
  },
  {
    title: 'one line with a name after a comma',
    text: `${A}, Annual report.pdf`,
    links: [[A, 'Annual report.pdf']],
  },
  {
    title: 'one line with a name after a tab',
    text: `${A}\tpapers/first.pdf`,
    links: [[A, 'papers/first.pdf']],
  },
  {
    title: 'names for some of the links',
    text: `${A}\tfirst.pdf\n${B}\n${C}\t"2024"`,
    links: [[A, 'first.pdf'], B, [C, '2024']],
  },
  { title: 'JSON: a list in one line', text: `["${A}","${B}"]`, links: [A, B] },
  { title: 'JSON: a list in many lines', text: `[\n  "${A}",\n  "${B}"\n]\n`, links: [A, B] },
  {
    title: 'JSON: objects with names',
    text: JSON.stringify({
      files: [
        { url: A, filename: 'first.pdf' },
        { name: 'second.pdf', url: B },
      ],
    }),
    links: NAMED,
  },
  {
    title: 'JSON: objects in many lines',
    text: JSON.stringify(
      [
        { id: 1, url: A, file_name: 'first.pdf', tags: ['a'] },
        { title: 'second.pdf', src: B },
      ],
      null,
      2,
    ),
    links: NAMED,
  },
  {
    title: 'JSON: escaped slashes and ampersands',
    text: '{"u":"https:\\/\\/a.test\\/?a=1\\u0026b=2"}',
    links: ['https://a.test/?a=1&b=2'],
  },
  {
    title: 'JSON: one object per line',
    text: `{"url":"${A}","name":"first.pdf"}\n{"url":"${B}","name":"second.pdf"}`,
    links: NAMED,
  },
  { title: 'JSON: names as keys', text: JSON.stringify({ 'first.pdf': A, 'second.pdf': B }), links: NAMED },
  {
    title: 'JSON: links as keys',
    text: JSON.stringify({ [A]: 'first.pdf', [B]: 'second.pdf' }),
    links: NAMED,
  },
  {
    title: 'JSON: texts with links in them',
    text: JSON.stringify({ body: `See ${A}, and (${B}).` }),
    links: [A, B],
  },
  {
    title: 'JSON that is cut off',
    text: `[{"url":"${A}","name":"first.pdf"},{"url":"${B}`,
    links: [[A, 'first.pdf'], B],
  },
  {
    title: 'a part of a program',
    text: `const urls = [\n  '${A}',\n  "${B}", // old\n]\nfetch(\`${C}\`)`,
    links: [A, B, C],
    ignored: 2,
  },
  {
    title: 'escaped slashes outside of JSON',
    text: 'x = "https:\\/\\/a.test\\/one";',
    links: ['https://a.test/one'],
  },
  {
    title: 'two columns, and a name of one letter that is also a unit of size',
    text: `${A}\n${B}\tB`,
    links: [A, [B, 'B']],
  },
  {
    title: 'a last column in which the URL ends before the separator',
    text: `url,\n, ${A} ,a`,
    links: [A],
    ignored: 0,
  },
]
