/** A size for people, in decimal units like those of the plans: `2 GB`, `1.5 MB`. Never rounded up. */
export function formatBytes(bytes: number): string {
  const unit = UNITS.find((each) => bytes >= each.bytes) ?? { name: 'B', bytes: 1 }
  return `${Math.floor((bytes / unit.bytes) * 100) / 100} ${unit.name}`
}

const UNITS = [
  { name: 'GB', bytes: 1e9 },
  { name: 'MB', bytes: 1e6 },
  { name: 'KB', bytes: 1e3 },
]
