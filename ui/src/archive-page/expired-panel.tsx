import { useNavigate } from '@solidjs/router'
import type { Job } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { formatDateTime } from '../base/format.ts'
import type { Recognised } from '../links/link.ts'
import { replaceDraft } from '../new-archive/draft.ts'
import { type PanelProps, PanelStatus } from './panel-status.tsx'

/** When the file of an archive was deleted. */
export function ExpiredStatus(props: PanelProps) {
  return (
    <PanelStatus {...props} title="Archive expired">
      The file was deleted {formatDateTime(props.job.expires_at ?? props.job.created_at, props.now)}.
    </PanelStatus>
  )
}

export function ExpiredActions(props: PanelProps) {
  const navigate = useNavigate()
  const reuseLinks = () => {
    replaceDraft(linksOfJob(props.job), { title: props.job.zip_filename.replace(/\.zip$/, '') })
    navigate('/')
  }
  return (
    <Button variant="primary" size="large" onClick={reuseLinks}>
      Reuse these links
    </Button>
  )
}

/** Returns the links as they were submitted, with their file names if they have any. */
function linksOfJob({ urls, files }: Job): Recognised[] {
  const sources: readonly { readonly url: string; readonly filename?: string | undefined }[] =
    files ?? urls.map((url) => ({ url }))
  return sources.map(({ url, filename }) => ({ kind: 'link', url, filename: filename ?? null }))
}
