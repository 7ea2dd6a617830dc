import { Match, Switch } from 'solid-js'
import { getMe } from '../api/account.ts'
import { listJobs } from '../api/jobs.ts'
import { PLAN_LABELS } from '../api/plan-labels.ts'
import { createPolling } from '../api/polling.ts'
import { Card } from '../base/card.tsx'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { messageOf } from '../base/message.ts'
import { PageHeader } from '../base/page.tsx'
import { accountCopy } from '../language/english/account.ts'
import styles from './account-page.module.css'
import { MonthlyUsage } from './monthly-usage.tsx'
import { PlanLimits } from './plan-limits.tsx'
import { StorageBreakdown } from './storage-breakdown.tsx'

/** The user's plan, its limits, and the storage used this month. */
export function AccountPage() {
  const me = createPolling(
    () => getMe(),
    () => REFRESH_MS,
  )
  const jobs = createPolling(
    (signal) => listJobs({ count: MAX_JOBS }, signal),
    () => REFRESH_MS,
  )
  const planName = () => PLAN_LABELS[me.value()?.user.plan ?? 'free']
  const lead = () => (me.value() ? accountCopy.lead(me.value()?.user.name ?? '', planName()) : '…')
  return (
    <>
      <PageHeader title={accountCopy.title} lead={lead()} />
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
                <Card isPadded>
                  <MonthlyUsage usage={me().usage} />
                </Card>
                <Card isPadded>
                  <StorageBreakdown jobs={jobs} />
                </Card>
                <Card isPadded>
                  <PlanLimits me={me()} planName={planName()} />
                </Card>
              </>
            )}
          </Match>
          <Match when={me.error()}>
            {(error) => (
              <Card>
                <ListError message={messageOf(error())} onRetry={me.refresh} />
              </Card>
            )}
          </Match>
        </Switch>
      </div>
    </>
  )
}

/** Usage grows slowly, so this shows it soon enough. */
const REFRESH_MS = 30_000
/** Jobs beyond the newest 1,000 have nearly always expired and have no files. */
const MAX_JOBS = 1_000
