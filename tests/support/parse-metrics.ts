/** A sample in Prometheus' text format. */
export interface MetricSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * Parses Prometheus' text format, version 0.0.4, as strictly as its specification and `promtool check metrics`: throws
 * on any deviation that a lenient parser would accept.
 */
export function parseMetrics(text: string): MetricSample[] {
  if (!text.endsWith('\n') || text.includes('\n\n') || text.includes('\r'))
    throw new Error('a line does not end with exactly one \\n')
  const samples: MetricSample[] = []
  const types = new Map<string, string>()
  const series = new Set<string>()
  let family = ''
  let helped = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, helpName] = /^# HELP ([a-zA-Z_:][\w:]*) \S.*$/.exec(line) ?? []
    const [, typeName, type] = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram)$/.exec(line) ?? []
    if (helpName !== undefined) {
      helped = helpName
    } else if (typeName !== undefined && type !== undefined) {
      if (typeName !== helped || types.has(typeName))
        throw new Error(`TYPE without HELP, or repeated: ${line}`)
      if ((type === 'counter') !== typeName.endsWith('_total'))
        throw new Error(`only counters end with _total: ${line}`)
      types.set(typeName, type)
      family = typeName
    } else {
      const sample = parseSample(line)
      const own =
        types.get(family) === 'histogram' ? sample.name.replace(/_(bucket|sum|count)$/, '') : sample.name
      if (own !== family) throw new Error(`a sample outside of its family: ${line}`)
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()])
      if (series.has(key)) throw new Error(`a series is repeated: ${line}`)
      series.add(key)
      samples.push(sample)
    }
  }
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, samples)
  return samples
}

function parseSample(line: string): MetricSample {
  const [, name, list, value] =
    /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"(?:,(?=[a-zA-Z_])|(?=\})))+)\})? ([+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/.exec(
      line,
    ) ?? []
  if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`)
  const pairs = [...(list ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  const labels = Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, unescaped(text)]))
  if (pairs.length !== Object.keys(labels).length) throw new Error(`a label is repeated: ${line}`)
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
}

/** Checks that buckets ascend, that the last one is +Inf and equals the count, and that there is a sum. */
function checkHistogram(name: string, samples: readonly MetricSample[]): void {
  const keyOf = ({ labels: { le: _, ...rest } }: MetricSample) => JSON.stringify(rest)
  const of = (suffix: string) => samples.filter((sample) => sample.name === `${name}_${suffix}`)
  for (const [key, buckets] of Map.groupBy(of('bucket'), keyOf)) {
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('Inf', 'Infinity')))
    const counts = buckets.map(({ value }) => value)
    const count = of('count').find((sample) => keyOf(sample) === key)
    const isAscending = (figures: number[]) =>
      figures.every((each, index) => index === 0 || each >= (figures[index - 1] ?? 0))
    if (!isAscending(bounds) || !isAscending(counts)) throw new Error(`${name} does not ascend: ${key}`)
    if (bounds.at(-1) !== Infinity || counts.at(-1) !== count?.value)
      throw new Error(`${name} does not end with +Inf and its count: ${key}`)
    if (!of('sum').some((sample) => keyOf(sample) === key)) throw new Error(`${name} has no sum: ${key}`)
  }
}
