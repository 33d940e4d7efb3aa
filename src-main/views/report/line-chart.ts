import { type Html, html } from './html.ts'

export type Chart = {
  readonly title: string
  readonly about: string
  /** At most three: that many styles can be told apart without colour. */
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[]
  readonly xText: (x: number) => string
  readonly yText: (y: number) => string
  /** Round numbers when absent. */
  readonly xTicks?: readonly number[]
}

type Point = { readonly x: number; readonly y: number }

const [WIDTH, HEIGHT] = [960, 260]
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 28, 10, 28]

/** Lines over an axis as SVG, from zero up; what it shows also stands in words for those who cannot see it. */
export const chart = ({ title, about, lines, xText, yText, xTicks }: Chart): Html | string => {
  const points = lines.flatMap((line) => line.points)
  if (points.length === 0) return ''
  const [xLow, xHigh] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))]
  const yTicks = roundTicks(0, Math.max(...points.map(({ y }) => y)))
  const yHigh = yTicks.at(-1) || 1
  const xAt = (x: number): number => LEFT + ((x - xLow) / (xHigh - xLow || 1)) * (WIDTH - LEFT - RIGHT)
  const yAt = (y: number): number => HEIGHT - BOTTOM - (y / yHigh) * (HEIGHT - TOP - BOTTOM)
  const path = (line: readonly Point[]): string =>
    line.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${xAt(x).toFixed(1)} ${yAt(y).toFixed(1)}`).join('')
  const peak = lines.map(({ name, points: own }) =>
    own.length === 0 ? `${name}: none` : `${name} up to ${yText(Math.max(...own.map(({ y }) => y)))}`,
  )
  const columns = (xTicks ?? roundTicks(xLow, xHigh)).filter((x) => x >= xLow && x <= xHigh)
  return html`<figure>
<figcaption><strong>${title}</strong> <span>${about}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}: ${peak.join(', ')}">
${yTicks.map((y) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${yAt(y)}" y2="${yAt(y)}"/><text class="tick" x="${LEFT - 8}" y="${yAt(y) + 4}" text-anchor="end">${yText(y)}</text>`)}
${columns.map((x) => html`<text class="tick" x="${xAt(x)}" y="${HEIGHT - 8}" text-anchor="middle">${xText(x)}</text>`)}
${lines.map(({ points: own }, i) => html`<path class="l${i}" d="${path(own)}"/>`)}
</svg>
${lines.length === 1 ? '' : html`<p>${lines.map(({ name }, i) => html`<span class="key"><svg viewBox="0 0 28 8" aria-hidden="true"><path class="l${i}" d="M0 4H28"/></svg>${name}</span>`)}</p>`}
</figure>`
}

/** Five or so: 1, 2 or 5 times a power of ten apart. */
const roundTicks = (low: number, high: number): readonly number[] => {
  const rough = (high - low) / 5 || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, i) => (first + i) * step)
}
