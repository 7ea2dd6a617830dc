/** Milliseconds since the Unix epoch. Every part gets its clock as an argument, so that tests can set the time. */
export type Clock = () => number

export const systemClock: Clock = Date.now

/** Milliseconds since an arbitrary moment. Setting the system clock does not change it, so it measures durations. */
export const monotonicClock: Clock = () => performance.now()
