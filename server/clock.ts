/** Milliseconds since the Unix epoch. Time is an argument everywhere, so that tests can say what time it is. */
export type Clock = () => number

export const systemClock: Clock = Date.now

/** Milliseconds since some moment, which pass whatever is done to the clock: for how long something took. */
export const monotonicClock: Clock = () => performance.now()
