import { A } from '@solidjs/router'
import { createMemo, For, Show } from 'solid-js'
import type { Me } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { countOf, formatBytes, formatCount } from '../base/format.ts'
import { ProgressBar } from '../base/progress-bar.tsx'
import { type Finding, findingsOf, originsBehindLogin } from './check-findings.ts'
import styles from './check-report.module.css'
import { changeItems, draft } from './draft.ts'
import type { DraftLink } from './draft-links.ts'
import type { CheckState, LinkCheck } from './link-check.ts'

export interface CheckReportProps {
  check: LinkCheck
  links: readonly DraftLink[]
  duplicates: ReadonlySet<DraftLink>
  limits: Me['limits'] | undefined
}

/** What a check of the links has found so far. */
export function CheckReport(props: CheckReportProps) {
  return (
    <Show when={props.check.state()}>
      {(state) => (
        <Report
          state={state()}
          check={props.check}
          links={props.links}
          duplicates={props.duplicates}
          limits={props.limits}
        />
      )}
    </Show>
  )
}

function Report(props: CheckReportProps & { state: CheckState }) {
  const found = createMemo(() => findingsOf(props.links, props.state.results, props.duplicates))
  const behindLogin = createMemo(() => originsBehindLogin(props.links, props.state.results))
  const maxBytes = () => props.limits?.max_zip_bytes ?? Number.POSITIVE_INFINITY
  const isTooLarge = () => found().totalBytes > maxBytes()
  const remove = (finding: Finding) => {
    const removed = new Set<unknown>(finding.links.map(({ link }) => link))
    changeItems(draft().items.filter((item) => !removed.has(item)))
  }
  return (
    <section class={styles.report} aria-label="Check of the links">
      <div class={styles.header}>
        <p role="status">{progressText(props.state, found().checkedCount, props.links.length)}</p>
        <Show
          when={props.state.isRunning}
          fallback={
            <Button variant="ghost" onClick={() => props.check.close()}>
              Close
            </Button>
          }
        >
          <Button onClick={() => props.check.stop()}>Stop</Button>
        </Show>
      </div>
      <Show when={props.state.isRunning}>
        <ProgressBar
          label="Links checked"
          fraction={found().checkedCount / Math.max(1, props.links.length)}
        />
      </Show>
      <Show when={props.state.error}>{(error) => <Alert>{error()}</Alert>}</Show>
      <Show when={found().checkedCount > 0}>
        <p>
          <strong>{formatBytes(found().totalBytes)}</strong> in all
          <Show when={found().unknownSizeCount > 0}>
            , without {countOf(found().unknownSizeCount, 'file')} of unknown size
          </Show>
        </p>
      </Show>
      <Show when={isTooLarge()}>
        <Alert tone="warning">
          <p>
            Too large for one archive: your plan allows {formatBytes(maxBytes())}, and these are{' '}
            {formatBytes(found().totalBytes)}.
          </p>
        </Alert>
      </Show>
      <For each={found().findings}>
        {(finding) => (
          <details class={styles.finding}>
            <summary class={styles.summary}>{titleOf(finding)}</summary>
            {/* Focusable, so that it can be scrolled by keyboard. */}
            <ul class={styles.links} tabindex="0" aria-label={titleOf(finding)}>
              <For each={finding.links.slice(0, MAX_SHOWN)}>
                {({ link, reason }) => (
                  <li class={styles.link}>
                    <span class={styles.url}>{link.url}</span>
                    <span class={styles.reason}>{reason}</span>
                  </li>
                )}
              </For>
              <Show when={finding.links.length > MAX_SHOWN}>
                <li class={styles.link}>and {formatCount(finding.links.length - MAX_SHOWN)} more</li>
              </Show>
            </ul>
            <Button onClick={() => remove(finding)}>Remove {countOf(finding.links.length, 'link')}</Button>
          </details>
        )}
      </For>
      <Show when={behindLogin().length > 0}>
        <ul class={styles.logins} aria-label="Logins that are missing">
          <For each={behindLogin().slice(0, MAX_LOGINS)}>
            {(origin) => (
              <li>
                {/* The draft is there when the user comes back. */}
                <A href="/account/sites" state={{ address: origin }}>
                  Sign in to {URL.parse(origin)?.host}
                </A>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={!props.state.isRunning && props.state.error === null && found().findings.length === 0}>
        <p class={styles.fine}>No problems found.</p>
      </Show>
    </section>
  )
}

function progressText({ isRunning }: CheckState, checked: number, total: number): string {
  if (isRunning) return `Checking: ${formatCount(checked)} of ${countOf(total, 'link')}`
  if (checked < total) return `${formatCount(checked)} of ${countOf(total, 'link')} checked`
  return `${countOf(total, 'link')} checked`
}

function titleOf({ kind, links }: Finding): string {
  const count = links.length
  switch (kind) {
    case 'failed':
      return countOf(count, 'dead link')
    case 'page':
      return countOf(count, 'web page instead of a file', 'web pages instead of files')
    case 'empty':
      return countOf(count, 'empty file')
    case 'duplicate':
      return countOf(count, 'duplicate')
  }
}

/** Somebody who has no login for these begins with one of them. */
const MAX_LOGINS = 5
/** More would make the page long. */
const MAX_SHOWN = 200
