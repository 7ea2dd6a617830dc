import { DAY_MS } from '../time/clock.ts'
import { GIGABYTE } from './plan.ts'

/** A calendar month in UTC; `to` is the beginning of the next one. */
export interface Month {
  /** As in `2026-07`. */
  readonly name: string
  readonly from: number
  readonly to: number
}

export function monthOf(now: number): Month {
  const date = new Date(now)
  return {
    name: date.toISOString().slice(0, 7),
    from: Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
    to: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
  }
}

/** Bytes x milliseconds as GB-days. Nothing is rounded before this. */
export function toGbDays(byteMs: bigint): number {
  return Number(byteMs) / GIGABYTE / DAY_MS
}
