import { DropdownMenu } from '@kobalte/core/dropdown-menu'
import Check from 'lucide-solid/icons/check'
import type { Component, ParentProps } from 'solid-js'
import { For, onMount } from 'solid-js'
import { iconButtonClass } from './button.tsx'
import styles from './menu.module.css'

type Icon = Component<{ size?: number; 'aria-hidden'?: 'true' }>

/** A menu behind a button of an icon. */
export function Menu(props: ParentProps<{ label: string; icon: Icon }>) {
  let place: HTMLDivElement | undefined
  onMount(() => place?.addEventListener('pointerup', swallowClickOfTouch, { capture: true }))
  return (
    <div ref={place} class={styles.place}>
      <DropdownMenu placement="bottom-end" gutter={4} modal={false}>
        <DropdownMenu.Trigger class={iconButtonClass} aria-label={props.label} title={props.label}>
          <props.icon size={20} aria-hidden="true" />
        </DropdownMenu.Trigger>
        {/* Beside its button, so within the landmark; focus goes into it only if it comes by a portal. */}
        <DropdownMenu.Portal mount={place ?? document.body}>
          <DropdownMenu.Content class={styles.menu}>{props.children}</DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu>
    </div>
  )
}

/** How long after a touch its click may come. */
const CLICK_OF_TOUCH_MS = 400

/** A touch chooses an item as it ends; its click comes when the menu is gone and would hit what lies beneath. */
function swallowClickOfTouch(event: PointerEvent): void {
  const { target } = event
  if (event.pointerType !== 'touch' || !(target instanceof Element && target.closest('[role^="menuitem"]')))
    return
  const swallow = (click: Event) => {
    click.preventDefault()
    click.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), CLICK_OF_TOUCH_MS)
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

export interface MenuChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string; icon: Icon }[]
  onChange: (value: T) => void
}

/** One of a few, with a tick at the present one. */
export function MenuChoice<T extends string>(props: MenuChoiceProps<T>) {
  const choose = (value: string) => {
    const option = props.options.find((option) => option.value === value)
    if (option) props.onChange(option.value)
  }
  return (
    <DropdownMenu.RadioGroup value={props.value} onChange={choose}>
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

export function MenuLine() {
  return <DropdownMenu.Separator class={styles.line} />
}
