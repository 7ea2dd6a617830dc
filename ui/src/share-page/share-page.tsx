import { createEffect, createMemo, Match, on, Switch } from 'solid-js'
import { createPolling } from '../api/polling.ts'
import { getSharedArchive } from '../api/shared.ts'
import type { SharedArchive } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { Button } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { useNow } from '../base/now.ts'
import { useDocumentTitle } from '../base/page.tsx'
import { archiveInPage } from './first-answer.ts'
import { OpenArchive } from './open-archive.tsx'

/** What somebody with a link sees: the archive, also while it is packed, or why there is none. Needs no sign-in. */
export function SharePage(props: { token: string }) {
  const archive = createPolling(
    () => getSharedArchive(props.token),
    ({ status }) => REFRESH_MS[status],
    archiveInPage(),
  )
  useDocumentTitle(() => archive.value()?.zip_filename ?? 'Shared archive')
  const status = createMemo(() => archive.value()?.status)
  createEffect(
    on(status, (status, before) => {
      if (before !== undefined && status === 'completed') announce('The archive is ready')
    }),
  )
  return (
    <Switch>
      <Match when={GONE[archive.error()?.code ?? '']}>{(gone) => <EmptyState isPage {...gone()} />}</Match>
      <Match when={archive.value()}>
        {(found) => <FoundArchive archive={found()} token={props.token} />}
      </Match>
      <Match when={archive.error()}>
        {(error) => (
          <EmptyState isPage title="Couldn’t load this archive" text={error().message}>
            <Button onClick={archive.refresh}>Try again</Button>
          </EmptyState>
        )}
      </Match>
    </Switch>
  )
}

function FoundArchive(props: { archive: SharedArchive; token: string }) {
  const now = useNow()
  return (
    <Switch fallback={<OpenArchive archive={props.archive} token={props.token} now={now()} />}>
      <Match when={props.archive.status === 'failed'}>
        <EmptyState
          isPage
          title="This archive couldn’t be packed"
          text="Ask the person who sent you the link. If they try again, it appears here."
        />
      </Match>
      <Match when={Date.parse(props.archive.expires_at ?? '') <= now()}>
        <EmptyState isPage {...EXPIRED} />
      </Match>
    </Switch>
  )
}

/** How long to wait before the next look. */
const REFRESH_MS: Readonly<Record<SharedArchive['status'], number>> = {
  // Somebody waits for the archive.
  pending: 3_000,
  processing: 3_000,
  // Its maker may try again.
  failed: 5_000,
  // It only expires or is deleted.
  completed: 60_000,
}
const EXPIRED = {
  title: 'This link has expired',
  text: 'The archive is no longer kept. Ask the person who sent you the link for a new one.',
}
/** Why a link opens no archive, by the code of the error. */
const GONE: Readonly<Record<string, typeof EXPIRED>> = {
  EXPIRED_TOKEN: EXPIRED,
  INVALID_TOKEN: {
    title: 'This link doesn’t work',
    text: 'Check that you opened the whole link, or ask the person who sent it for a new one.',
  },
}
