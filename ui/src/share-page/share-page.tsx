import { useParams } from '@solidjs/router'
import Download from 'lucide-solid/icons/download'
import { Match, Switch } from 'solid-js'
import { createPolling } from '../api/polling.ts'
import { getSharedArchive } from '../api/shared.ts'
import type { SharedArchive } from '../api/types.ts'
import { Button, DownloadLink } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { countOf, formatBytes, formatDateTime, formatFullDateTime, formatPercent } from '../base/format.ts'
import { LinkActions } from '../base/link-actions.tsx'
import { useNow } from '../base/now.ts'
import { PageHeader, useDocumentTitle } from '../base/page.tsx'
import styles from './share-page.module.css'
import { SharedFiles } from './shared-files.tsx'

/** What somebody with a download link sees: the archive, or why there is none. Needs no sign-in. */
export function SharePage() {
  const params = useParams<{ token: string }>()
  const archive = createPolling(
    () => getSharedArchive(params.token),
    ({ progress }) => (progress === undefined ? READY_REFRESH_MS : PACKING_REFRESH_MS),
  )
  useDocumentTitle(() => archive.value()?.zip_filename ?? 'Shared archive')
  return (
    <Switch>
      <Match when={GONE[archive.error()?.code ?? '']}>{(gone) => <Gone {...gone()} />}</Match>
      <Match when={archive.value()}>
        {(found) => <FoundArchive archive={found()} token={params.token} />}
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
    <Switch
      fallback={
        <EmptyState
          isPage
          title="This archive is not ready yet"
          text={`${formatPercent(props.archive.progress ?? 0)} of its files are packed. This page updates by itself.`}
        />
      }
    >
      <Match when={props.archive.status === 'failed'}>
        <EmptyState
          isPage
          title="This archive couldn’t be created"
          text="Ask the person who sent you the link for a new one."
        />
      </Match>
      <Match when={Date.parse(props.archive.expires_at ?? '') <= now()}>
        <Gone {...EXPIRED} />
      </Match>
      <Match when={props.archive.expires_at}>
        {(expiresAt) => (
          <>
            <PageHeader
              title={props.archive.zip_filename}
              isFileName
              lead={`${countOf(props.archive.file_count, 'file')} · ${formatBytes(props.archive.zip_size)}`}
            />
            <Card class={styles.card} isPadded>
              <DownloadLink variant="primary" size="large" href={`/download/${props.token}`}>
                <Download size={20} aria-hidden="true" />
                Download
              </DownloadLink>
              <LinkActions url={shareUrl(props.token)} />
              <p class={styles.hint} title={formatFullDateTime(expiresAt())}>
                Available until {formatDateTime(expiresAt(), now())}
              </p>
            </Card>
            <SharedFiles token={props.token} />
          </>
        )}
      </Match>
    </Switch>
  )
}

function Gone(props: { title: string; text: string }) {
  return <EmptyState isPage title={props.title} text={props.text} />
}

/** The address of this page, which may have been opened as `/download/...`. */
function shareUrl(token: string): string {
  return `${location.origin}/share/${token}`
}

/** Somebody waits for the archive. */
const PACKING_REFRESH_MS = 3_000
/** The archive only expires or is deleted. */
const READY_REFRESH_MS = 60_000
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
