import { expect, test } from 'bun:test'
import type { Panel } from '../measurements/measurement.ts'
import { summarize } from '../statistics.ts'
import { plot, xText } from './plot.ts'

const panel: Panel = {
  title: 'URLs of 20 KB each',
  xLabel: 'URLs',
  xUnit: 'count',
  series: ['script', 'A & <B>'].map((name, index) => ({
    name,
    points: [10, 5000].flatMap((x) => {
      const seconds = summarize([x / 1000, (x + index) / 500])
      return seconds === null ? [] : [{ x, seconds }]
    }),
  })),
}

test('A plot has each panel, each series and each measured value', async () => {
  const svg = plot([panel, { ...panel, title: 'Bytes' }], 'Medians')
  const seen: Record<string, number> = {}
  const count = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1
  }
  await new HTMLRewriter()
    .on('path.line', { element: (path) => count(`line ${path.getAttribute('class')?.slice(-2)}`) })
    .on('path.spread', { element: () => count('spread') })
    .on('path.m0', { element: () => count('marker') })
    .transform(new Response(svg))
    .text()
  // Once per panel, and once in the legend.
  expect(seen).toEqual({ 'line s0': 3, 'line s1': 3, spread: 4, marker: 5 })
  expect(svg).toContain('>5,000</text>')
  expect(svg).toContain('>A &amp; &lt;B></text>')
  expect(svg).not.toMatch(/NaN|Infinity|undefined/)
})

test('A plot follows the light or dark mode of the reader', () => {
  expect(plot([panel], '')).toContain('@media(prefers-color-scheme:dark)')
})

test.each([
  [5000, 'count', '5,000'],
  [1000, 'bytes', '1 KB'],
  [1e5, 'bytes', '100 KB'],
  [1e7, 'bytes', '10 MB'],
] as const)('A value of %p, a %s, is labelled %s', (value, unit, label) => {
  expect(xText(value, unit)).toBe(label)
})
