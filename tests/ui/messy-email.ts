/** Links as people send them: in sentences, lists, brackets, quotes, Markdown, a table and a quoted reply. */
export function messyEmail(urls: readonly string[]): string {
  const [a, b, c, d, e, f, g, h, i, j, k, l, m, ...rest] = urls
  return `Hi all,

here is what I have so far: ${a}, ${b} and (${c}).
The last one (see <${d}>) is new!

[Plan A.pdf](${e}) [plan-b.pdf](${f} "the other")
* ${g} # old
* ${h} (3 MB)
"${i}";"${j}"
\`${k}\`
> On Monday Ann wrote:
> > ${l}.
> ${m}?

${rest.slice(0, 6).join(',')}
${rest.slice(6, 12).join(' ')}
{"urls": ["${rest.slice(12).join('", "')}"]}

Best,
Tom
--
tom@mail.test`
}
