import type { Notifier, NotifierMessage, NotifierWithSecret } from '../../notifiers/notifier.ts'
import { changesToJson, expiryOrNull, iso, isoOrNull } from '../json.ts'
import type { WebhookJson, WebhookMessageJson, WebhookWithSecretJson } from './schemas.ts'

// Maps webhooks and their messages to JSON.

export function webhookToJson(webhook: Notifier): WebhookJson {
  return {
    id: webhook.id,
    url: webhook.target,
    events: [...webhook.events],
    status: webhook.disabledAt === null ? 'active' : 'disabled',
    disabled_at: isoOrNull(webhook.disabledAt),
    disabled_reason: webhook.disabledReason,
    created_at: iso(webhook.createdAt),
  }
}

export function webhookWithSecretToJson(webhook: NotifierWithSecret): WebhookWithSecretJson {
  return { ...webhookToJson(webhook), secret: webhook.secret ?? '' }
}

/**
 * The body of an attempt.
 * @param downloadUrlOf the link to the archive of a job at an origin; null when there is nothing to download
 * @param origin where the service is reached
 */
export function webhookMessageJson(
  message: NotifierMessage,
  downloadUrlOf: (jobId: string, origin: string) => string | null,
  origin: string,
): string {
  const { type, occurredAt, jobId } = message
  // A job that has failed may have been retried and completed since.
  const hasArchive = type === 'job.completed' && jobId !== null
  const downloadUrl = hasArchive ? downloadUrlOf(jobId, origin) : null
  const body: WebhookMessageJson = { type, timestamp: iso(occurredAt), data: dataOf(message, downloadUrl) }
  return JSON.stringify(body)
}

function dataOf(
  { jobId, snapshot, notifierId }: NotifierMessage,
  downloadUrl: string | null,
): WebhookMessageJson['data'] {
  if (snapshot === null) return { webhook_id: notifierId }
  if ('reason' in snapshot) {
    const { scheduleId, name, reason, failedRuns } = snapshot
    return { schedule_id: scheduleId, name, status: 'paused', reason, failed_runs: failedRuns }
  }
  if (jobId === null) return { webhook_id: notifierId }
  return {
    job_id: jobId,
    status: snapshot.status,
    url_count: snapshot.urlCount,
    file_count: snapshot.fileCount,
    zip_size: snapshot.zipBytes,
    warning_count: snapshot.warningCount,
    error_count: snapshot.errorCount,
    errors: [...snapshot.errors],
    failure: snapshot.failure,
    download_url: downloadUrl,
    expires_at: expiryOrNull(snapshot.expiresAt),
    metadata: snapshot.metadata,
    ...(snapshot.scheduleId !== null && { schedule_id: snapshot.scheduleId }),
    ...(snapshot.changes !== null && { changes: changesToJson(snapshot.changes) }),
  }
}
