import CircleUser from 'lucide-solid/icons/circle-user'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import Gauge from 'lucide-solid/icons/gauge'
import Link from 'lucide-solid/icons/link'
import Trash from 'lucide-solid/icons/trash'
import { Show } from 'solid-js'
import { PLAN_LABELS } from '../api/plan-labels.ts'
import type { Plan, User } from '../api/types.ts'
import { changePlan } from '../api/users.ts'
import { formatCount, formatGbDays } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { Menu, MenuItem, MenuSeparator } from '../base/menu.tsx'
import { messageOf } from '../base/message.ts'
import { showToast } from '../base/toasts.tsx'
import { baseCopy } from '../language/english/base.ts'
import { usersCopy } from '../language/english/users.ts'

export interface UserRowProps {
  user: User
  onChanged: () => void
  onSignInLink: () => void
  onRemove: () => void
}

/** A user in the list: plan, storage used this month, archives, and the menu of actions. Only the owner sees it. */
export function UserRow(props: UserRowProps) {
  const copy = usersCopy.row
  const otherPlan = (): Plan => (props.user.plan === 'pro' ? 'free' : 'pro')

  /** Changes the plan at once. Undo changes it back. */
  async function moveTo(plan: Plan, undo?: () => void) {
    const { id, name } = props.user
    try {
      await changePlan(id, plan)
      showToast({ text: copy.moved(name, PLAN_LABELS[plan]), ...(undo && { undo }) })
    } catch (error) {
      showToast({ text: messageOf(error) })
    }
    props.onChanged()
  }
  const moveToOtherPlan = () => {
    const { plan } = props.user
    void moveTo(otherPlan(), () => void moveTo(plan))
  }

  return (
    <ListRow
      icon={CircleUser}
      title={props.user.name}
      badge={props.user.is_owner ? copy.you : undefined}
      details={
        <>
          <span>{copy.plan(PLAN_LABELS[props.user.plan])}</span>
          <span>{copy.thisMonth(formatGbDays(props.user.usage.gb_days))}</span>
          <span>{archivesOf(props.user.job_counts)}</span>
        </>
      }
    >
      <Menu label={copy.actions(props.user.name)} icon={Ellipsis}>
        <MenuItem icon={Link} onSelect={() => props.onSignInLink()}>
          {copy.newLink}
        </MenuItem>
        <MenuItem icon={Gauge} onSelect={moveToOtherPlan}>
          {copy.moveTo(PLAN_LABELS[otherPlan()])}
        </MenuItem>
        <Show when={!props.user.is_owner}>
          <MenuSeparator />
          <MenuItem icon={Trash} danger onSelect={() => props.onRemove()}>
            {copy.remove}
          </MenuItem>
        </Show>
      </Menu>
    </ListRow>
  )
}

/** "12 archives, 1 running, 2 waiting". */
function archivesOf({ total, processing, pending }: User['job_counts']): string {
  const active = [
    [processing, usersCopy.row.running],
    [pending, usersCopy.row.waiting],
  ] as const
  return [
    baseCopy.archives(total),
    ...active.filter(([count]) => count > 0).map(([count, text]) => text(formatCount(count))),
  ].join(', ')
}
