import { createEffect, createMemo, Match, on, Switch } from 'solid-js'
import { createRepeatedRequest } from '../api/repeated-request.ts'
import { getSharedArchive } from '../api/shared.ts'
import type { SharedArchive } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { Button } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { messageOf } from '../base/message.ts'
import { useNow } from '../base/now.ts'
import { useDocumentTitle } from '../base/page.tsx'
import { baseCopy } from '../language/english/base.ts'
import { sharePageCopy } from '../language/english/share-page.ts'
import { archiveInPage } from './first-answer.ts'
import { OpenArchive } from './open-archive.tsx'

/** What somebody with a link sees: the archive, also while it is packed, or why there is none. Needs no sign-in. */
export function SharePage(props: { token: string }) {
  const archive = createRepeatedRequest(
    () => getSharedArchive(props.token),
    ({ status }) => REFRESH_MS[status],
    archiveInPage(),
  )
  useDocumentTitle(() => archive.value()?.zip_filename ?? sharePageCopy.title)
  const status = createMemo(() => archive.value()?.status)
  createEffect(
    on(status, (status, before) => {
      if (before !== undefined && status === 'completed') announce(sharePageCopy.isReady)
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
          <EmptyState isPage title={sharePageCopy.archiveNotLoaded} text={messageOf(error())}>
            <Button onClick={archive.refresh}>{baseCopy.tryAgain}</Button>
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
        <EmptyState isPage {...sharePageCopy.failed} />
      </Match>
      <Match when={Date.parse(props.archive.expires_at ?? '') <= now()}>
        <EmptyState isPage {...sharePageCopy.expired} />
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
/** Why a link opens no archive, by the code of the error. */
const GONE: Readonly<Record<string, typeof sharePageCopy.expired>> = {
  EXPIRED_TOKEN: sharePageCopy.expired,
  INVALID_TOKEN: sharePageCopy.invalid,
}
