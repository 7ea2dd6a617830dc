import { DEFAULT_PLANS } from '../../../accounts/plan.ts'
import { SETTINGS, type Setting } from '../../../config/config.ts'
import { html } from '../../html.ts'
import { planToJson } from '../../service/json.ts'
import { callBlock } from '../code-blocks.ts'
import type { OpenapiDocument } from '../openapi.ts'
import { docsPage } from '../page.ts'
import { referenceContents } from './parts.ts'

/** All settings of the service, from their definition. */
export function settingsPage(document: OpenapiDocument): string {
  return docsPage({
    path: '/docs/reference/settings',
    title: 'Settings · Holdall',
    contents: referenceContents(document, '/docs/reference/settings', [
      ['#settings', 'Flags and variables'],
      ['#plan-limits', 'Limits of the plans'],
    ]),
    main: html`<h1>Settings</h1>
<p>Each is a flag of <code>holdall</code>, or a variable in the environment. A flag counts before the variable. The default is in
parentheses. The owner changes some of them <a href="/docs/running-on-a-server#settings">while the service runs</a>.</p>
<section id="settings"><h2>Flags and variables</h2>
<table>${Object.values<Setting>(SETTINGS).map(
      ({ flag, env, value, help, short, repeatable }) =>
        html`<tr id="${flag}"><td><a class="anchor" href="#${flag}"><code>--${flag}${value === null ? '' : ` ${value}`}</code></a>${
          short === undefined ? '' : html` or <code>-${short}</code>`
        }</td><td><code>${env}</code></td><td>${sentence(help)}${repeatable ? '. May be repeated' : ''}.</td></tr>`,
    )}</table></section>
<section id="plan-limits"><h2>Limits of the plans</h2>
<p>The owner has the plan Pro, and gives each user one of the two. <code>--plans</code> names a file of JSON with the limits that differ
from these, such as:</p>
${callBlock('{ "free": { "max_urls": 500, "quota_gb_days": null } }')}
<table>${planLimits().map(
      ([name, free, pro]) =>
        html`<tr id="plan-limits.${name}"><td><a class="anchor" href="#plan-limits.${name}"><code>${name}</code></a></td><td>Free: ${free}</td><td>Pro: ${pro}</td></tr>`,
    )}</table></section>`,
  })
}

/** In the help of a command, these texts begin with a small letter. */
function sentence(help: string): string {
  return help.slice(0, 1).toUpperCase() + help.slice(1)
}

/** The name of each limit, and what it is on both plans. */
function planLimits(): (readonly [name: string, free: string, pro: string])[] {
  const pro = new Map(Object.entries(planToJson(DEFAULT_PLANS.pro)))
  return Object.entries(planToJson(DEFAULT_PLANS.free)).map(([name, limit]) => [
    name,
    limitText(limit),
    limitText(pro.get(name) ?? null),
  ])
}

function limitText(limit: number | null): string {
  return limit === null ? 'none' : limit.toLocaleString('en')
}
