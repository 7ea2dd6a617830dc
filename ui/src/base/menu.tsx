import { DropdownMenu } from '@kobalte/core/dropdown-menu'
import Check from 'lucide-solid/icons/check'
import type { Component, ParentProps } from 'solid-js'
import { For, onMount } from 'solid-js'
import { iconButtonClass } from './button.tsx'
import styles from './menu.module.css'

type Icon = Component<{ size?: number; 'aria-hidden'?: 'true' }>

/** A dropdown menu that opens from an icon button. */
export function Menu(props: ParentProps<{ label: string; icon: Icon }>) {
  let container: HTMLDivElement | undefined
  onMount(() => container?.addEventListener('pointerup', suppressTouchClick, { capture: true }))
  return (
    <div ref={container} class={styles.container}>
      <DropdownMenu placement="bottom-end" gutter={4} modal={false}>
        <DropdownMenu.Trigger class={iconButtonClass} aria-label={props.label} title={props.label}>
          <props.icon size={20} aria-hidden="true" />
        </DropdownMenu.Trigger>
        {/* Mounted next to its button, to stay in the same landmark. Kobalte moves the focus only into a portal. */}
        <DropdownMenu.Portal mount={container ?? document.body}>
          <DropdownMenu.Content class={styles.menu}>{props.children}</DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu>
    </div>
  )
}

/** A touch selects an item on pointerup. Its click follows when the menu has closed, and would hit what was below. */
function suppressTouchClick(event: PointerEvent): void {
  const { target } = event
  if (event.pointerType !== 'touch' || !(target instanceof Element && target.closest('[role^="menuitem"]')))
    return
  const suppress = (click: Event) => {
    click.preventDefault()
    click.stopPropagation()
  }
  addEventListener('click', suppress, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', suppress, { capture: true }), TOUCH_CLICK_MS)
}

export function MenuItem(props: ParentProps<{ icon: Icon; danger?: boolean; onSelect: () => void }>) {
  return (
    <DropdownMenu.Item
      class={styles.item}
      data-tone={props.danger ? 'danger' : undefined}
      onSelect={() => props.onSelect()}
    >
      <props.icon size={18} aria-hidden="true" />
      {props.children}
    </DropdownMenu.Item>
  )
}

export interface MenuRadioGroupProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string; icon: Icon }[]
  onChange: (value: T) => void
}

/** A group of items of which one is selected, with a tick at the selected one. */
export function MenuRadioGroup<T extends string>(props: MenuRadioGroupProps<T>) {
  const select = (value: string) => {
    const option = props.options.find((option) => option.value === value)
    if (option) props.onChange(option.value)
  }
  return (
    <DropdownMenu.RadioGroup value={props.value} onChange={select}>
      <DropdownMenu.GroupLabel class={styles.label}>{props.label}</DropdownMenu.GroupLabel>
      <For each={props.options}>
        {(option) => (
          <DropdownMenu.RadioItem class={styles.item} value={option.value} closeOnSelect={false}>
            <option.icon size={18} aria-hidden="true" />
            {option.label}
            <DropdownMenu.ItemIndicator class={styles.tick}>
              <Check size={16} aria-hidden="true" />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        )}
      </For>
    </DropdownMenu.RadioGroup>
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator class={styles.line} />
}

/** The browser sends the click of a touch within this time. */
const TOUCH_CLICK_MS = 400
