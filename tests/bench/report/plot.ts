import type { Panel, Series } from '../measurements/measurement.ts'
import { type LogScale, logScale } from './log-scale.ts'
import { marker, STYLE } from './plot-style.ts'

/**
 * Draws panels next to each other as SVG, with logarithmic axes. Lines show medians, and vertical bars show spreads.
 * Colours follow the reader's light or dark mode. Each series has its own marker, so that it can be distinguished
 * without colours.
 */
export function plot(panels: readonly Panel[], caption: string): string {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))]
  const width = panels.length * PANEL_WIDTH
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="img">`,
    `<title>${escaped(caption)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${width}" height="${HEIGHT}"/>`,
    legend(names),
    ...panels.map((panel, index) => drawPanel(panel, names, index * PANEL_WIDTH)),
    text(MARGIN.left, HEIGHT - 12, caption, 'class="note"'),
    '</svg>',
    '',
  ].join('\n')
}

const PANEL_WIDTH = 400
const HEIGHT = 420
const MARGIN = { left: 60, right: 20, top: 84, bottom: 84 }

function legend(names: readonly string[]): string {
  return names
    .map((name, index) => {
      const x = MARGIN.left + index * LEGEND_DISTANCE
      const line = `<path class="line s${index}" d="M${x} 24h28"/>`
      return `${line}${marker(index, x + 14, 24)}${text(x + 36, 28, name)}`
    })
    .join('\n')
}

const LEGEND_DISTANCE = 180

function drawPanel({ title, xLabel, xUnit, series }: Panel, names: readonly string[], left: number): string {
  const points = series.flatMap((each) => each.points)
  const [x0, x1] = [left + MARGIN.left, left + PANEL_WIDTH - MARGIN.right]
  const [y0, y1] = [HEIGHT - MARGIN.bottom, MARGIN.top]
  const x = logScale(
    points.map((point) => point.x),
    x0,
    x1,
  )
  const y = logScale(
    points.flatMap(({ seconds }) => [seconds.min, seconds.max]),
    y0,
    y1,
  )
  const middle = (x0 + x1) / 2
  const measured = [...new Set(points.map((point) => point.x))]
  return [
    text(middle, y1 - 14, title, 'class="title" text-anchor="middle"'),
    ...y.ticks.map((tick) => horizontal(tick, y.at(tick), x0, x1)),
    ...measured.map((value) => text(x.at(value), y0 + 18, xText(value, xUnit), 'text-anchor="middle"')),
    ...measured.map((value) => `<path class="axis" d="M${round(x.at(value))} ${y0}v4"/>`),
    `<path class="axis" d="M${x0} ${y0}H${x1}"/>`,
    text(middle, y0 + 40, xLabel, 'text-anchor="middle"'),
    ...series.map((each) => drawSeries(each, names.indexOf(each.name), x, y)),
  ].join('\n')
}

function horizontal(tick: number, y: number, x0: number, x1: number): string {
  const label = text(x0 - 8, y + 4, `${tick} s`, 'text-anchor="end"')
  return `<path class="grid" d="M${x0} ${round(y)}H${x1}"/>${label}`
}

function drawSeries({ points }: Series, index: number, x: LogScale, y: LogScale): string {
  const line = points.map((point) => `${round(x.at(point.x))} ${round(y.at(point.seconds.median))}`)
  const spreads = points.map(
    ({ x: value, seconds }) =>
      `M${round(x.at(value))} ${round(y.at(seconds.min))}V${round(y.at(seconds.max))}`,
  )
  const markers = points.map((point) =>
    marker(index, round(x.at(point.x)), round(y.at(point.seconds.median))),
  )
  return `<path class="line s${index}" d="M${line.join('L')}"/><path class="spread s${index}" d="${spreads.join('')}"/>${markers.join('')}`
}

/** `5,000`, or `10 KB`. */
export function xText(value: number, unit: Panel['xUnit']): string {
  if (unit === 'count') return value.toLocaleString('en')
  return value < 1e6 ? `${value / 1e3} KB` : `${value / 1e6} MB`
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped(content)}</text>`
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
