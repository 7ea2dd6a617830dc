/** A time in a column of a list. */
export function timeOrDash(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString()
}
