import type { Delivery, Webhook, WebhookMessage, WebhookWithSecret } from '../../webhooks/webhook.ts'
import { changesToJson, expiryOrNull, iso, isoOrNull } from '../json.ts'
import type { DeliveryJson, WebhookJson, WebhookMessageJson, WebhookWithSecretJson } from './schemas.ts'

// Maps webhooks, their deliveries and their messages to JSON.

export function webhookToJson(webhook: Webhook): WebhookJson {
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...webhook.events],
    status: webhook.disabledAt === null ? 'active' : 'disabled',
    disabled_at: isoOrNull(webhook.disabledAt),
    disabled_reason: webhook.disabledReason,
    created_at: iso(webhook.createdAt),
  }
}

export function webhookWithSecretToJson(webhook: WebhookWithSecret): WebhookWithSecretJson {
  return { ...webhookToJson(webhook), secret: webhook.secret }
}

export function deliveryToJson(delivery: Delivery): DeliveryJson {
  return {
    id: delivery.id,
    type: delivery.type,
    job_id: delivery.jobId,
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: delivery.responseStatus,
    error: delivery.error,
    created_at: iso(delivery.createdAt),
    last_attempt_at: isoOrNull(delivery.lastAttemptAt),
    next_attempt_at: isoOrNull(delivery.nextAttemptAt),
  }
}

/**
 * The body of an attempt.
 * @param downloadUrlOf the link to the archive of a job at an origin; null when there is nothing to download
 * @param baseUrl the origin of links; null takes the one by which the webhook was created
 */
export function webhookMessageJson(
  message: WebhookMessage,
  downloadUrlOf: (jobId: string, origin: string) => string | null,
  baseUrl: string | null,
): string {
  const { type, occurredAt, jobId, origin } = message
  // A job that has failed may have been retried and completed since.
  const hasArchive = type === 'job.completed' && jobId !== null
  const downloadUrl = hasArchive ? downloadUrlOf(jobId, baseUrl ?? origin) : null
  const body: WebhookMessageJson = { type, timestamp: iso(occurredAt), data: dataOf(message, downloadUrl) }
  return JSON.stringify(body)
}

function dataOf(
  { jobId, snapshot, webhookId }: WebhookMessage,
  downloadUrl: string | null,
): WebhookMessageJson['data'] {
  if (snapshot === null) return { webhook_id: webhookId }
  if ('reason' in snapshot) {
    const { scheduleId, name, reason, failedRuns } = snapshot
    return { schedule_id: scheduleId, name, status: 'paused', reason, failed_runs: failedRuns }
  }
  if (jobId === null) return { webhook_id: webhookId }
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
