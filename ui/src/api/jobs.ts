import type { CreateJobBody, JobListItemWire, JobWire, PageMetaWire } from '../../../server/http/schemas.ts'
import { request } from './request.ts'

export type Job = JobWire
export type JobItem = JobListItemWire
export type JobStatus = JobItem['status']
export type NewJob = CreateJobBody

export interface JobPage {
  readonly jobs: readonly JobItem[]
  readonly meta: PageMetaWire
}

export async function createJob(job: NewJob): Promise<string> {
  const { job_id } = await request<{ job_id: string }>('POST', '/jobs', job)
  return job_id
}

/** A page of the caller's jobs, newest first. */
export function listJobs(page: { limit: number; cursor?: string | undefined }): Promise<JobPage> {
  const query = new URLSearchParams({ limit: String(page.limit) })
  if (page.cursor !== undefined) query.set('cursor', page.cursor)
  return request('GET', `/jobs?${query}`)
}

export async function getJob(id: string): Promise<Job> {
  const { job } = await request<{ job: Job }>('GET', `/jobs/${id}`)
  return job
}

/** Goes on where the job failed. */
export async function retryJob(id: string): Promise<void> {
  await request('POST', `/jobs/${id}/retry`)
}

export async function cancelJob(id: string): Promise<void> {
  await request('POST', `/jobs/${id}/cancel`)
}

export async function deleteJob(id: string): Promise<void> {
  await request('DELETE', `/jobs/${id}`)
}

/** True while the service works on the job, or is about to. */
export function isUnderWay(job: Pick<JobItem, 'status'>): boolean {
  return job.status === 'pending' || job.status === 'processing'
}
