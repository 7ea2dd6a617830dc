/** Milliseconds since the Unix epoch. Time is an argument everywhere, so that tests can say what time it is. */
export type Clock = () => number

export const systemClock: Clock = Date.now
