import { Match, Switch } from 'solid-js'
import { getMe } from '../api/account.ts'
import { listJobs } from '../api/jobs.ts'
import { createPolling } from '../api/polling.ts'
import type { Me } from '../api/types.ts'
import { Card } from '../base/card.tsx'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { PageHead } from '../base/page.tsx'
import styles from './account-page.module.css'
import { PlanLimits } from './plan-limits.tsx'
import { Space } from './space.tsx'
import { Usage } from './usage.tsx'

const REFRESH_MS = 30_000
/** What is older than so many has as good as always expired. */
const MOST_JOBS = 1_000

const PLAN_NAMES: Readonly<Record<Me['user']['plan'], string>> = { free: 'Free', pro: 'Pro' }

/** Who one is here, what one may, and what one has used of it. */
export function AccountPage() {
  const me = createPolling(
    () => getMe(),
    () => REFRESH_MS,
  )
  const jobs = createPolling(
    (signal) => listJobs({ wanted: MOST_JOBS }, signal),
    () => REFRESH_MS,
  )
  const planName = () => PLAN_NAMES[me.value()?.user.plan ?? 'free']
  const lead = () => (me.value() ? `${me.value()?.user.name}, on the ${planName()} plan` : '…')
  return (
    <>
      <PageHead title="Account" lead={lead()} />
      <div class={styles.cards}>
        <Switch
          fallback={
            <Card>
              <ListSkeleton />
            </Card>
          }
        >
          <Match when={me.value()}>
            {(me) => (
              <>
                <Card class={styles.card}>
                  <Usage usage={me().usage} planName={planName()} />
                </Card>
                <Card class={styles.card}>
                  <Space jobs={jobs} />
                </Card>
                <Card class={styles.card}>
                  <PlanLimits me={me()} planName={planName()} />
                </Card>
              </>
            )}
          </Match>
          <Match when={me.error()}>
            {(error) => (
              <Card>
                <ListError text={error().message} onRetry={me.refresh} />
              </Card>
            )}
          </Match>
        </Switch>
      </div>
    </>
  )
}
