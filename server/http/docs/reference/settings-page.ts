import { SETTINGS, type Setting } from '../../../config/config.ts'
import { html } from '../../html.ts'
import type { OpenapiDocument } from '../openapi.ts'
import { docsPage } from '../page.ts'
import { referenceContents } from './parts.ts'

/** All settings of the service, from their definition. */
export function settingsPage(document: OpenapiDocument): string {
  return docsPage({
    path: '/docs/reference/settings',
    title: 'Settings · Holdall',
    contents: referenceContents(document, '/docs/reference/settings', []),
    main: html`<h1>Settings</h1>
<p>Each is a flag of <code>holdall</code>, or a variable in the environment. A flag counts before the variable. The default is in
parentheses.</p>
<section id="settings"><h2>Flags and variables</h2>
<table>${Object.values<Setting>(SETTINGS).map(
      ({ flag, env, value, help, short, repeatable }) =>
        html`<tr id="${flag}"><td><a class="anchor" href="#${flag}"><code>--${flag}${value === null ? '' : ` ${value}`}</code></a>${
          short === undefined ? '' : html` or <code>-${short}</code>`
        }</td><td><code>${env}</code></td><td>${sentence(help)}${repeatable ? '. May be repeated' : ''}.</td></tr>`,
    )}</table></section>`,
  })
}

/** In the help of a command, these texts begin with a small letter. */
function sentence(help: string): string {
  return help.slice(0, 1).toUpperCase() + help.slice(1)
}
