import { type Html, html } from '../html.ts'

export interface DocsPage {
  readonly path: string
  readonly title: string
  /** Links to the sections of the page. */
  readonly contents: Html
  readonly main: Html
}

/** The frame of every page of the documentation. It looks like the interface, and loads nothing from other origins. */
export function docsPage({ path, title, contents, main }: DocsPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/search.js" defer></script>
<script src="/docs/calls.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to main content</a>
<header>
<a class="brand" href="/" aria-label="Holdall, back to the app">${LOGO}<span>Holdall</span></a>
<nav aria-label="Documentation">${PAGES.map(([address, name]) =>
    address === path || (address !== '/docs' && path.startsWith(`${address}/`))
      ? html`<a href="${address}" aria-current="${address === path ? 'page' : 'true'}">${name}</a>`
      : html`<a href="${address}">${name}</a>`,
  )}</nav>
<a class="back" href="/">Open the app</a>
</header>
<div class="columns">
<nav class="contents" aria-label="Contents">
<div class="search" hidden><label for="search">Search</label><input id="search" type="search" placeholder="Operations, fields, settings  ( / )" autocomplete="off" spellcheck="false">
<p role="status"></p>
<ul></ul></div>
<details open><summary>Contents</summary>${contents}</details>
</nav>
<main id="main">${main}</main>
</div>
</body>
</html>
`.text
}

const PAGES = [
  ['/docs', 'A first call'],
  ['/docs/reference', 'Reference'],
  ['/docs/using-holdall', 'Using Holdall'],
  ['/docs/running-on-a-server', 'Running on a server'],
  ['/docs/moving-from-eazip', 'Moving from Eazip'],
] as const

const LOGO = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><path d="M11 11V9a5 5 0 0 1 10 0v2" fill="none" stroke="currentColor" stroke-width="3"/><rect x="3" y="10" width="26" height="18" rx="5" fill="currentColor"/><path class="seam" d="M8 17h16" stroke-width="2.5" stroke-linecap="round"/></svg>`
