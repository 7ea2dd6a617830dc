import Calendar from 'lucide-solid/icons/calendar'
import CalendarClock from 'lucide-solid/icons/calendar-clock'
import CalendarDays from 'lucide-solid/icons/calendar-days'
import Clock from 'lucide-solid/icons/clock'
import ListTree from 'lucide-solid/icons/list-tree'
import Repeat from 'lucide-solid/icons/repeat'
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal'
import { Show } from 'solid-js'
import { Menu, MenuItem, MenuSeparator } from '../base/menu.tsx'
import { repeatCopy } from '../language/english/repeat.ts'

/** An interval that begins now. */
export type RepeatInterval = 'hour' | 'day' | 'week' | 'month'

export interface RepeatMenuProps {
  size?: 'medium' | 'large'
  disabled?: boolean
  /** Of the plan. */
  minScheduleSeconds: number
  onChoose: (every: RepeatInterval) => void
  onCustom: () => void
  /** The page that the list comes from, whose links can be packed in its place; null for none. */
  page?: { readonly host: string; readonly onChoose: () => void } | null
}

/** The button that makes a list a repeating one, with how often. */
export function RepeatMenu(props: RepeatMenuProps) {
  return (
    <Menu label={repeatCopy.repeat} icon={Repeat} button={{ size: props.size, disabled: props.disabled }}>
      <Show when={props.minScheduleSeconds <= HOUR_SECONDS}>
        <MenuItem icon={Clock} onSelect={() => props.onChoose('hour')}>
          {repeatCopy.everyHour}
        </MenuItem>
      </Show>
      <MenuItem icon={CalendarClock} onSelect={() => props.onChoose('day')}>
        {repeatCopy.everyDay}
      </MenuItem>
      <MenuItem icon={CalendarDays} onSelect={() => props.onChoose('week')}>
        {repeatCopy.everyWeek}
      </MenuItem>
      <MenuItem icon={Calendar} onSelect={() => props.onChoose('month')}>
        {repeatCopy.everyMonth}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={SlidersHorizontal} onSelect={() => props.onCustom()}>
        {repeatCopy.custom}
      </MenuItem>
      <Show when={props.page}>
        {(page) => (
          <MenuItem icon={ListTree} onSelect={() => page().onChoose()}>
            {repeatCopy.page(page().host)}
          </MenuItem>
        )}
      </Show>
    </Menu>
  )
}

const HOUR_SECONDS = 3_600
