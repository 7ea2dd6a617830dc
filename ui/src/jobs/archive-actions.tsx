import { useNavigate } from '@solidjs/router'
import CircleStop from 'lucide-solid/icons/circle-stop'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, Show } from 'solid-js'
import { cancelJob, deleteJob, isUnderWay, type Job, retryJob } from '../api/jobs.ts'
import { ConfirmButton } from '../base/confirm-button.tsx'
import { Notice } from '../base/notice.tsx'

/** What can be done with an archive in its state. */
export function ArchiveActions(props: { job: Job; onChange: () => Promise<void> }) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = createSignal(false)
  const [problem, setProblem] = createSignal<Error>()
  const perform = async (action: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await action()
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setBusy(false)
    }
  }
  const andLook = (action: (id: string) => Promise<void>) => () =>
    perform(async () => {
      await action(props.job.id)
      await props.onChange()
    })
  const remove = () =>
    perform(async () => {
      await deleteJob(props.job.id)
      navigate('/archives')
    })
  return (
    <section class="section" aria-label="Actions">
      <Show when={problem()}>{(error) => <Notice kind="problem">{error().message}</Notice>}</Show>
      <div class="buttons">
        <Show when={props.job.status === 'failed'}>
          <button type="button" class="button primary" disabled={isBusy()} onClick={andLook(retryJob)}>
            <RotateCw aria-hidden="true" />
            Resume
          </button>
        </Show>
        <Show when={isUnderWay(props.job)}>
          <button type="button" class="button" disabled={isBusy()} onClick={andLook(cancelJob)}>
            <CircleStop aria-hidden="true" />
            Cancel
          </button>
        </Show>
        <ConfirmButton
          label="Delete"
          icon={<Trash aria-hidden="true" />}
          question="Delete this archive?"
          explanation="Its file and its link are gone at once, and for good."
          onConfirm={() => void remove()}
        />
      </div>
    </section>
  )
}
