import { createEffect, onCleanup } from 'solid-js'
import bag from './icons/bag.svg'
import failed from './icons/failed.svg'
import ready from './icons/ready.svg'
import running0 from './icons/running-0.svg'
import running25 from './icons/running-25.svg'
import running50 from './icons/running-50.svg'
import running75 from './icons/running-75.svg'

/** What the icon of the browser tab tells: how much is done, from 0 to 1, or how it ended. Null is the plain icon. */
export type TabStatus = number | 'ready' | 'failed' | null

/** Sets the icon of the browser tab, as long as the owner exists. */
export function useTabIcon(status: () => TabStatus): void {
  createEffect(() => setIcon(iconOf(status())))
  onCleanup(() => setIcon(bag))
}

function iconOf(status: TabStatus): string {
  if (status === null) return bag
  if (status === 'ready') return ready
  if (status === 'failed') return failed
  return QUARTERS[Math.min(Math.floor(status * QUARTERS.length), QUARTERS.length - 1)] ?? bag
}

const QUARTERS = [running0, running25, running50, running75]

function setIcon(url: string): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', url)
}
