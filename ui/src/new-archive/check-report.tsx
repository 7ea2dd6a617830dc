import { A } from '@solidjs/router'
import { createEffect, createMemo, For, Show } from 'solid-js'
import type { Me } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { formatBytes, formatCount } from '../base/format.ts'
import { MessageText } from '../base/message-text.tsx'
import { ProgressBar } from '../base/progress-bar.tsx'
import { Sentence } from '../base/sentence.tsx'
import { baseCopy } from '../language/english/base.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { type CheckFinding, findingsOf, originsBehindLogin } from './check-findings.ts'
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

const copy = newArchiveCopy.check

function Report(props: CheckReportProps & { state: CheckState }) {
  const found = createMemo(() => findingsOf(props.links, props.state.results, props.duplicates))
  const behindLogin = createMemo(() => originsBehindLogin(props.links, props.state.results))
  const maxBytes = () => props.limits?.max_zip_bytes ?? Number.POSITIVE_INFINITY
  const isTooLarge = () => found().totalBytes > maxBytes()
  const remove = (finding: CheckFinding) => {
    const removed = new Set<unknown>(finding.links.map(({ link }) => link))
    changeItems(draft().items.filter((item) => !removed.has(item)))
  }
  let report: HTMLElement | undefined
  // It is below the list, and its button above it.
  const isRunning = createMemo(() => props.state.isRunning)
  createEffect(() => {
    if (isRunning()) report?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <section ref={report} class={styles.report} aria-label={copy.title}>
      <div class={styles.header}>
        <p role="status">{progressText(props.state, found().checkedCount, props.links.length)}</p>
        <Show
          when={props.state.isRunning}
          fallback={
            <Button variant="ghost" onClick={() => props.check.close()}>
              {copy.close}
            </Button>
          }
        >
          <Button onClick={() => props.check.stop()}>{copy.stop}</Button>
        </Show>
      </div>
      <Show when={props.state.isRunning}>
        <ProgressBar
          label={copy.progress}
          fraction={found().checkedCount / Math.max(1, props.links.length)}
        />
      </Show>
      <Show when={props.state.error}>
        {(error) => (
          <Alert>
            <MessageText message={error()} />
          </Alert>
        )}
      </Show>
      <Show when={found().checkedCount > 0}>
        <p>
          <Sentence
            text={found().unknownSizeCount === 0 ? copy.inAll : copy.inAllKnown(found().unknownSizeCount)}
            parts={{ size: <strong>{formatBytes(found().totalBytes)}</strong> }}
          />
        </p>
      </Show>
      <Show when={isTooLarge()}>
        <Alert tone="warning">
          <p>{copy.tooLarge(formatBytes(maxBytes()), formatBytes(found().totalBytes))}</p>
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
                    <span class={styles.reason}>
                      <MessageText message={reason} />
                    </span>
                  </li>
                )}
              </For>
              <Show when={finding.links.length > MAX_SHOWN}>
                <li class={styles.link}>
                  {newArchiveCopy.list.more(formatCount(finding.links.length - MAX_SHOWN))}
                </li>
              </Show>
            </ul>
            <Button onClick={() => remove(finding)}>{copy.remove(finding.links.length)}</Button>
          </details>
        )}
      </For>
      <Show when={behindLogin().length > 0}>
        <ul class={styles.logins} aria-label={copy.missingLogins}>
          <For each={behindLogin().slice(0, MAX_LOGINS)}>
            {(origin) => (
              <li>
                {/* The draft is there when the user comes back. */}
                <A href="/account/sites" state={{ address: origin }}>
                  {copy.signIn(URL.parse(origin)?.host ?? origin)}
                </A>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={!props.state.isRunning && props.state.error === null && found().findings.length === 0}>
        <p class={styles.fine}>{copy.fine}</p>
      </Show>
    </section>
  )
}

function progressText({ isRunning }: CheckState, checked: number, total: number): string {
  if (isRunning) return copy.running(formatCount(checked), baseCopy.links(total))
  if (checked < total) return copy.stopped(formatCount(checked), baseCopy.links(total))
  return copy.checked(baseCopy.links(total))
}

function titleOf({ kind, links }: CheckFinding): string {
  const count = links.length
  switch (kind) {
    case 'failed':
      return copy.dead(count)
    case 'page':
      return copy.pages(count)
    case 'empty':
      return copy.empty(count)
    case 'duplicate':
      return baseCopy.duplicates(count)
  }
}

/** Somebody who has no login for these begins with one of them. */
const MAX_LOGINS = 5
/** More would make the page long. */
const MAX_SHOWN = 200
