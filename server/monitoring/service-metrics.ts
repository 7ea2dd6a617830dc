import { statSync } from 'node:fs'
import { VERSION } from '../version.ts'
import type { Counter, Histogram, Metrics } from './metrics.ts'

/** The sources of the metrics of a running service. */
export interface ServiceReadings {
  /** Jobs of all users by status. */
  jobsByStatus(): Readonly<Record<string, number>>
  /** Connections to sources that are open now. */
  connectionsInUse(): number
  /** Bytes received from sources since the start. */
  fetchedBytes(): number
  /** On the disk of the archives. */
  freeBytes(): number
  readonly databasePath: string
}

/** Adds the metrics of the whole service. `http` adds those of requests. */
export function addServiceMetrics(metrics: Metrics, readings: ServiceReadings): { jobWaited: Histogram } {
  metrics.gauges('holdall_info', 'The version that runs.', 'version', () => ({ [VERSION]: 1 }))
  metrics.gauges('holdall_jobs', 'Jobs of all users by status.', 'status', readings.jobsByStatus)
  const jobWaited = metrics.histogram(
    'holdall_job_wait_seconds',
    'Time from the creation of a job to its first start.',
    WAIT_BOUNDS_SECONDS,
  )
  const { connectionsInUse, fetchedBytes, freeBytes, databasePath } = readings
  metrics.reading('holdall_source_connections', 'Connections to sources in use.', 'gauge', connectionsInUse)
  metrics.reading('holdall_fetched_bytes_total', 'Bytes received from sources.', 'counter', fetchedBytes)
  metrics.reading(
    'holdall_archive_disk_free_bytes',
    'Free space on the disk of the archives.',
    'gauge',
    freeBytes,
  )
  metrics.reading('holdall_database_bytes', 'Size of the database with its journal.', 'gauge', () =>
    sizeOf(databasePath, `${databasePath}-wal`),
  )
  metrics.reading('process_resident_memory_bytes', 'Memory of the process.', 'gauge', () =>
    process.memoryUsage.rss(),
  )
  metrics.reading('process_cpu_seconds_total', 'Processor time of the process.', 'counter', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  const startedAtSeconds = Math.round(performance.timeOrigin) / 1000
  metrics.reading('process_start_time_seconds', 'When the process started.', 'gauge', () => startedAtSeconds)
  return { jobWaited }
}

/** Adds the metric of webhooks and other notifiers. */
export function addNotifierMetrics(metrics: Metrics): Counter {
  return metrics.counter(
    'holdall_notifier_attempts_total',
    'Attempts to deliver to webhooks and other notifiers, by the status that they gave the delivery.',
    ['status'],
  )
}

/** Adds the metrics of schedules. */
export function addScheduleMetrics(metrics: Metrics): { counted: Counter; began: Histogram } {
  return {
    counted: metrics.counter(
      'holdall_schedule_events_total',
      'Runs of schedules that started, completed or failed, and schedules that were paused after failed runs.',
      ['event'],
    ),
    began: metrics.histogram(
      'holdall_schedule_run_late_seconds',
      'Time from when a run of a schedule was due to its beginning.',
      WAIT_BOUNDS_SECONDS,
    ),
  }
}

/** From no wait, with a free slot, to a wait of one day. */
const WAIT_BOUNDS_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400]

function sizeOf(...paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
}
