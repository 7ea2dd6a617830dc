/** Colours with a contrast of at least 3:1 to the background, which colour-blind people can distinguish. */
const LIGHT = ['#6b7280', '#0b62d6', '#0a7d57', '#c2410c']
const DARK = ['#a3abb8', '#6cb0ff', '#3ecf9b', '#ff9b66']

export const STYLE = [
  'text{font:13px system-ui,sans-serif;fill:#24292f}',
  '.title{font-weight:600}.note{font-size:12px;fill:#57606a}',
  '.page{fill:#fff}.grid{stroke:#d8dee4}.axis{stroke:#57606a}',
  '.line{fill:none;stroke-width:2}.spread{fill:none;stroke-width:1.5;opacity:.6}',
  ...colours(LIGHT),
  '@media(prefers-color-scheme:dark){',
  'text{fill:#e6edf3}.note{fill:#9aa4af}.page{fill:#0d1117}.grid{stroke:#30363d}.axis{stroke:#9aa4af}',
  ...colours(DARK),
  '}',
].join('')

/** The marker of a series: a circle, a square, a triangle or a diamond. */
export function marker(series: number, x: number, y: number): string {
  const shape = SHAPES[series % SHAPES.length] ?? ''
  return `<path class="m${series}" d="M${x} ${y}${shape}"/>`
}

const SHAPES = [
  'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  'm-4 -4h8v8h-8z',
  'm0 -5l5 9h-10z',
  'm0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z',
]

function colours(palette: readonly string[]): string[] {
  return palette.map((colour, series) => `.s${series}{stroke:${colour}}.m${series}{fill:${colour}}`)
}
