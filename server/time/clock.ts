/** Milliseconds since the Unix epoch. Every part gets its clock as an argument, so that tests can set the time. */
export type Clock = () => number

/** Of the calendar in UTC: each day has as many. */
export const DAY_MS = 86_400_000

export const systemClock: Clock = Date.now

/** Milliseconds since an arbitrary moment. Setting the system clock does not change it, so it measures durations. */
export const monotonicClock: Clock = () => performance.now()
