import type { Figure, Target, Unit } from '../figure.ts'
import type { Panel, Timing } from '../measurements/measurement.ts'
import type { Summary } from '../statistics.ts'
import { xText } from './plot.ts'
import type { JudgedFigure } from './results.ts'

/** The time of each contender, as a Markdown table. Spreads are in brackets. */
export function timingTable(timings: readonly Timing[]): string {
  return table([
    ['contender', 'seconds', 'ratio to the ceiling', 'peak memory', 'archive'],
    ...timings.map(({ name, seconds, ratioToCeiling, peakMB, archiveMB, absence }) => [
      name,
      absence ?? value(seconds, 's'),
      value(ratioToCeiling, 'x'),
      value(peakMB, 'MB'),
      archiveMB === null ? '' : `${number(archiveMB.median)} MB`,
    ]),
  ])
}

/** Figures and their targets, as a Markdown table. */
export function figureTable(figures: readonly JudgedFigure[]): string {
  return table([
    ['what', 'measured', 'target', 'verdict'],
    ...figures.map((figure) => [
      figure.title,
      figure.absence ?? value(figure.summary, figure.unit),
      figure.target === null ? '' : targetText(figure.target, figure.unit),
      figure.verdict,
    ]),
  ])
}

/** The values of a panel, as a Markdown table. */
export function panelTable({ xLabel, xUnit, series }: Panel): string {
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))]
  return table([
    [xLabel, ...series.map(({ name }) => name)],
    ...xs.map((x) => [
      xText(x, xUnit),
      ...series.map(({ points }) => value(points.find((point) => point.x === x)?.seconds ?? null, 's')),
    ]),
  ])
}

function targetText(target: Target, unit: Figure['unit']): string {
  return 'atMost' in target
    ? `at most ${number(target.atMost)} ${unit}`
    : `at least ${number(target.atLeast)} ${unit}`
}

function value(summary: Summary | null, unit: Unit): string {
  if (summary === null) return ''
  const { median, min, max, count } = summary
  const spread = count === 1 ? '' : ` (${number(min)} to ${number(max)})`
  return `${number(median)} ${unit}${spread}`
}

/** Formats with three significant digits: 0.0123, 1.23, 123. */
function number(value: number): string {
  if (!Number.isFinite(value)) return '?'
  if (value === 0 || Math.abs(value) >= 100) return value.toFixed(0)
  return Number(value.toPrecision(3)).toString()
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(MIN_COLUMN_CHARACTERS, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const MIN_COLUMN_CHARACTERS = 3
