// ui/decisions/service-and-interface.md says why the time is that of the service.

import { type Accessor, createSignal, onCleanup } from 'solid-js'

let offsetMs = 0
const [now, setNow] = createSignal(Date.now())
let users = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The time of the service in milliseconds since the epoch. The clock of this device may be minutes off. */
export function serviceNow(): number {
  return Date.now() + offsetMs
}

/** Sets the time of the service, from the `Date` header of a response that has just arrived (RFC 9110, section 6.6.1). */
export function setServiceTime(date: string | null): void {
  const differenceMs = date === null ? Number.NaN : Date.parse(date) - Date.now()
  if (Number.isNaN(differenceMs)) return
  offsetMs = Math.abs(differenceMs) > TOLERANCE_MS ? differenceMs : 0
  if (Math.abs(serviceNow() - now()) > TOLERANCE_MS) setNow(serviceNow())
}

/** {@link serviceNow}, updated every second while a component uses it. */
export function useNow(): Accessor<number> {
  if (users++ === 0) {
    setNow(serviceNow())
    timer = setInterval(() => setNow(serviceNow()), 1000)
  }
  onCleanup(() => {
    if (--users === 0) clearInterval(timer)
  })
  return now
}

/** The `Date` header has whole seconds, and a response takes some time. Smaller differences are no error of the clock. */
const TOLERANCE_MS = 5_000
