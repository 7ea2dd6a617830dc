// server/decisions/libraries.md says why this is our own.

/**
 * Metrics of a running service in the text format of Prometheus, version 0.0.4. Counters are updated as events happen, gauges
 * are read on request. Labels must have few values, since each value is kept for ever.
 */
export class Metrics {
  readonly #families: Family[] = []

  /** Counts events or amounts. The name ends with `_total`. */
  counter(name: string, help: string, labels: readonly string[] = []): Counter {
    const totals = new Map<string, number>()
    this.#families.push({ name, help, type: 'counter', samples: () => samplesOf(name, totals) })
    return (values = [], by = 1) => {
      const key = labelText(labels, values)
      totals.set(key, (totals.get(key) ?? 0) + by)
    }
  }

  /** A value that another part keeps: a gauge goes up and down, a counter only grows. */
  reading(name: string, help: string, type: 'gauge' | 'counter', read: () => number): void {
    this.#families.push({ name, help, type, samples: () => [`${name} ${read()}`] })
  }

  /** One gauge per value of a label. */
  gauges(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    const samples = () =>
      Object.entries(read()).map(([each, value]) => `${name}${labelText([label], [each])} ${value}`)
    this.#families.push({ name, help, type: 'gauge', samples })
  }

  /** Counts values by the first of the ascending `bounds` that is not smaller. */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: readonly string[] = [],
  ): Histogram {
    const series = new Map<string, Series>()
    const samples = () => [...series.values()].flatMap((each) => bucketsOf(name, bounds, labels, each))
    this.#families.push({ name, help, type: 'histogram', samples })
    return (value, values = []) => {
      const key = labelText(labels, values)
      const known = series.get(key) ?? { values, counts: bounds.map(() => 0), count: 0, sum: 0 }
      series.set(key, known)
      const bucket = bounds.findIndex((bound) => value <= bound)
      if (bucket >= 0) known.counts[bucket] = (known.counts[bucket] ?? 0) + 1
      known.count += 1
      known.sum += value
    }
  }

  text(): string {
    const lines = this.#families.flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`,
      `# TYPE ${name} ${type}`,
      ...samples(),
    ])
    return `${lines.join('\n')}\n`
  }
}

export type Counter = (values?: readonly string[], by?: number) => void
export type Histogram = (value: number, values?: readonly string[]) => void

interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: () => string[]
}

interface Series {
  readonly values: readonly string[]
  /** By bound, not cumulated. */
  readonly counts: number[]
  count: number
  sum: number
}

function samplesOf(name: string, totals: ReadonlyMap<string, number>): string[] {
  return [...totals].map(([labels, total]) => `${name}${labels} ${total}`)
}

function bucketsOf(
  name: string,
  bounds: readonly number[],
  labels: readonly string[],
  { values, counts, count, sum }: Series,
): string[] {
  let below = 0
  const bucket = (bound: string, total: number) =>
    `${name}_bucket${labelText([...labels, 'le'], [...values, bound])} ${total}`
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0
    return bucket(String(bound), below)
  })
  const own = labelText(labels, values)
  return [...buckets, bucket('+Inf', count), `${name}_sum${own} ${sum}`, `${name}_count${own} ${count}`]
}

function labelText(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return ''
  const pairs = names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`)
  return `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}
