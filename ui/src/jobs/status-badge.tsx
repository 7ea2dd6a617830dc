import type { JobStatus } from '../api/jobs.ts'

const LABELS: Readonly<Record<JobStatus, string>> = {
  pending: 'Waiting',
  processing: 'Packing',
  completed: 'Ready',
  failed: 'Failed',
}

/** The state in a word; colour only underlines it. */
export function StatusBadge(props: { status: JobStatus }) {
  return <span class={`badge ${props.status}`}>{LABELS[props.status]}</span>
}
