import CircleUser from 'lucide-solid/icons/circle-user'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import Gauge from 'lucide-solid/icons/gauge'
import Link from 'lucide-solid/icons/link'
import Trash from 'lucide-solid/icons/trash'
import { Show } from 'solid-js'
import { PLAN_LABELS } from '../api/plan-labels.ts'
import type { Plan, User } from '../api/types.ts'
import { changePlan } from '../api/users.ts'
import { countOf, formatCount, formatGbDays } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { Menu, MenuItem, MenuSeparator } from '../base/menu.tsx'
import { messageOf } from '../base/message-of.ts'
import { showToast } from '../base/toasts.tsx'

export interface UserRowProps {
  user: User
  onChanged: () => void
  onSignInLink: () => void
  onRemove: () => void
}

/** A user in the list: plan, storage used this month, archives, and the menu of actions. Only the owner sees it. */
export function UserRow(props: UserRowProps) {
  const otherPlan = (): Plan => (props.user.plan === 'pro' ? 'free' : 'pro')

  /** Changes the plan at once. Undo changes it back. */
  async function moveTo(plan: Plan, undo?: () => void) {
    const { id, name } = props.user
    try {
      await changePlan(id, plan)
      showToast({ text: `${name} is on the ${PLAN_LABELS[plan]} plan`, ...(undo && { undo }) })
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
      badge={props.user.is_owner ? 'You' : undefined}
      details={
        <>
          <span>{PLAN_LABELS[props.user.plan]} plan</span>
          <span>{formatGbDays(props.user.usage.gb_days)} this month</span>
          <span>{archivesOf(props.user.job_counts)}</span>
        </>
      }
    >
      <Menu label={`Actions for ${props.user.name}`} icon={Ellipsis}>
        <MenuItem icon={Link} onSelect={() => props.onSignInLink()}>
          New sign-in link
        </MenuItem>
        <MenuItem icon={Gauge} onSelect={moveToOtherPlan}>
          Move to the {PLAN_LABELS[otherPlan()]} plan
        </MenuItem>
        <Show when={!props.user.is_owner}>
          <MenuSeparator />
          <MenuItem icon={Trash} danger onSelect={() => props.onRemove()}>
            Remove
          </MenuItem>
        </Show>
      </Menu>
    </ListRow>
  )
}

/** "12 archives, 1 running, 2 waiting". */
function archivesOf({ total, processing, pending }: User['job_counts']): string {
  const active = [
    [processing, 'running'],
    [pending, 'waiting'],
  ] as const
  return [
    countOf(total, 'archive'),
    ...active.filter(([count]) => count > 0).map(([count, state]) => `${formatCount(count)} ${state}`),
  ].join(', ')
}
