// ui/decisions/keys-menus-dialogs.md says why menus are native and dialogs are not.

import Check from 'lucide-solid/icons/check'
import type { Component, ParentProps } from 'solid-js'
import { createSignal, createUniqueId, For, Show } from 'solid-js'
import { type ButtonStyleProps, buttonClass, iconButtonClass } from './button.tsx'
import styles from './menu.module.css'
import { itemOf, itemsOf, moveFocus } from './menu-focus.ts'
import { useRowTabIndex } from './row-focus.ts'

type Icon = Component<{ size?: number; 'aria-hidden'?: 'true' }>

export interface MenuProps {
  label: string
  icon: Icon
  /** Shows the label on a button, too. Without it, the button has only the icon. */
  button?: { readonly size?: ButtonStyleProps['size']; readonly disabled?: boolean | undefined }
}

/** A dropdown menu that opens from a button (WAI-ARIA APG, "Menu Button"). A click outside and Escape close it. */
export function Menu(props: ParentProps<MenuProps>) {
  const [isOpen, setOpen] = createSignal(false)
  const id = createUniqueId()
  const tabIndex = useRowTabIndex()
  let button: HTMLButtonElement | undefined
  let menu: HTMLDivElement | undefined

  /** @param index of the item to focus, from the end if negative; null focuses the menu itself */
  function open(index: number | null) {
    if (!menu || !button) return
    setOpen(true)
    menu.showPopover()
    place(menu, button)
    const item = index === null ? undefined : itemsOf(menu).at(index)
    focus(item ?? menu)
  }

  function onClick(event: MouseEvent) {
    // The browser would also open it, but then its items could not get the focus at once.
    event.preventDefault()
    const isByKeyboard = event.detail === 0
    if (menu?.matches(':popover-open')) menu.hidePopover()
    else open(isByKeyboard ? 0 : null)
  }

  function onButtonKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open(event.key === 'ArrowDown' ? 0 : -1)
  }

  function onMenuKeyDown(event: KeyboardEvent & { currentTarget: HTMLElement }) {
    if (event.key === 'Escape') event.preventDefault()
    // Tab continues from the button.
    if (event.key === 'Escape' || event.key === 'Tab') close(event.currentTarget)
    else moveFocus(event, event.currentTarget)
  }

  return (
    <div class={props.button === undefined ? styles.container : undefined}>
      {/* With `popovertarget`, a press on the button is not one outside, after which the click would open the menu again. */}
      <button
        ref={button}
        type="button"
        id={`${id}-button`}
        class={props.button === undefined ? iconButtonClass : buttonClass}
        data-variant={props.button === undefined ? undefined : 'secondary'}
        data-size={props.button === undefined ? undefined : (props.button.size ?? 'medium')}
        disabled={props.button?.disabled}
        aria-label={props.label}
        title={props.button === undefined ? props.label : undefined}
        data-column="menu"
        tabindex={tabIndex()}
        aria-haspopup="menu"
        aria-expanded={isOpen()}
        popovertarget={id}
        onClick={onClick}
        onKeyDown={onButtonKeyDown}
      >
        <props.icon size={20} aria-hidden="true" />
        <Show when={props.button}>
          <span>{props.label}</span>
        </Show>
      </button>
      <div
        ref={menu}
        id={id}
        class={styles.menu}
        popover="auto"
        role="menu"
        tabindex="-1"
        aria-labelledby={`${id}-button`}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onKeyDown={onMenuKeyDown}
        onPointerMove={({ currentTarget, target }) => focus(itemOf(target) ?? currentTarget)}
        onPointerLeave={({ currentTarget }) => focus(currentTarget)}
      >
        <Show when={isOpen()}>{props.children}</Show>
      </div>
    </div>
  )
}

/**
 * Shows a menu below its button, or above it if there is no room. It scrolls with the page, and keeps to the right edge of the button, but
 * not over the left edge of a narrow screen.
 */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { top, right, bottom } = button.getBoundingClientRect()
  const height = menu.offsetHeight + GAP_PX
  const isAbove = bottom + height > innerHeight && top > height
  menu.style.top = `${scrollY + (isAbove ? top - height : bottom + GAP_PX)}px`
  const rightEdge = Math.max(right, menu.offsetWidth + GAP_PX)
  menu.style.right = `${document.documentElement.clientWidth - rightEdge}px`
}

function focus(element: HTMLElement): void {
  element.focus({ preventScroll: true })
}

/** Closes the menu that an element belongs to. Its button gets the focus first, so that a dialog can give it back. */
function close(element: HTMLElement): void {
  const menu = element.closest<HTMLElement>('[role="menu"]')
  const button = document.getElementById(menu?.getAttribute('aria-labelledby') ?? '')
  if (button) focus(button)
  menu?.hidePopover()
}

export function MenuItem(props: ParentProps<{ icon: Icon; danger?: boolean; onSelect: () => void }>) {
  return (
    <button
      type="button"
      role="menuitem"
      tabindex="-1"
      class={styles.item}
      data-tone={props.danger ? 'danger' : undefined}
      onClick={({ currentTarget }) => {
        close(currentTarget)
        props.onSelect()
      }}
    >
      <props.icon size={18} aria-hidden="true" />
      {props.children}
    </button>
  )
}

export interface MenuRadioGroupProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string; lang?: string; icon: Icon }[]
  onChange: (value: T) => void
}

/** A group of items of which one is selected, with a tick at the selected one. */
export function MenuRadioGroup<T extends string>(props: MenuRadioGroupProps<T>) {
  const id = createUniqueId()
  return (
    <fieldset class={styles.group} aria-labelledby={id}>
      <span id={id} class={styles.label}>
        {props.label}
      </span>
      <For each={props.options}>
        {(option) => (
          <button
            type="button"
            role="menuitemradio"
            tabindex="-1"
            class={styles.item}
            lang={option.lang}
            aria-checked={option.value === props.value}
            onClick={() => props.onChange(option.value)}
          >
            <option.icon size={18} aria-hidden="true" />
            {option.label}
            <Show when={option.value === props.value}>
              <span class={styles.tick}>
                <Check size={16} aria-hidden="true" />
              </span>
            </Show>
          </button>
        )}
      </For>
    </fieldset>
  )
}

export function MenuSeparator() {
  return <hr class={styles.line} />
}

/** Between the button and the menu. */
const GAP_PX = 4
