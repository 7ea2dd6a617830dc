export function iso(time: number): string {
  return new Date(time).toISOString()
}

export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
