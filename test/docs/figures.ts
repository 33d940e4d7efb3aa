import { readPage } from './code-blocks.ts'

/** The figures at the head of docs/performance.md, out of what `npm run bench` wrote into it. */
export const figures = (): string => {
  const page = readPage('docs/performance.md').split('## What `npm run bench` measured')[1] ?? ''
  const said = (pattern: RegExp): readonly string[] => {
    const found = pattern.exec(page)
    if (found === null) throw new Error(`docs/performance.md does not say ${pattern}`)
    return found.slice(1)
  }
  /** What stands behind the row's name. */
  const row = (name: string): readonly string[] => {
    const line = page.split('\n').find((text) => text.startsWith(`| ${name} |`))
    if (line === undefined) throw new Error(`docs/performance.md has no row "${name}"`)
    return line
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.trim())
  }
  const number = (cell = ''): number => Number.parseFloat(cell.replaceAll(',', ''))
  const rounded = (cells: readonly (string | undefined)[], divisor = 1, digits = 0): readonly string[] =>
    cells.map((cell) => (number(cell) / divisor).toFixed(digits))

  const [machine = ''] = said(/^(.+), built\. /m)
  const [share, low, high] = rounded(said(/answers ([\d.]+) % .* \(95 %: ([\d.]+) – ([\d.]+) %\)/))
  const [, , bare] = row('Bare node:http, same request, same answer')
  const [, , ours] = row('handset serve --verbose')
  const [perSecond, , p50, p99] = row('New store')
  const [full] = row('1,000,000 credentials, 100,000 live messages')
  const [ratio, least, most] = rounded(said(/store does ([\d.]+) % .* \(95 %: ([\d.]+) – ([\d.]+) %\)/), 100, 2)
  const [start] = rounded(row('Start until it accepts requests'), 1000, 2)
  const [idle] = row('Idle memory')
  const [assertion] = rounded(row('Assertion (ES256), one of 10,000 credentials'), 1, 2)
  const [signatures] = rounded(row('Ratio of each pair'), 1, 1)
  const held = ['1', '200', '1,000'].map(row)
  const gets = rounded(
    held.map(([, , get]) => get),
    1,
    2,
  ).join(' / ')
  const others = held.map(([, , , get]) => Number(number(get).toPrecision(2))).join(' / ')
  const [last] = rounded(row('A push to each in one instant').slice(2), 1000, 2)
  const [kib] = said(/inbox takes (\d+) KiB/)

  return [
    `Figures of a built program (\`npm run build\`) on a quiet machine: \`npm run bench\` on ${machine}, recorder and log on, medians.`,
    '',
    '| | Measured | Goal |',
    '|---|---:|---:|',
    `| Signed polls, beside bare node:http | ${share} % (${low} – ${high}), ${ours} µs of processor instead of ${bare} | 50 % |`,
    `| Whole sign-ins over HTTP, on disk (\`synchronous\` FULL) | ${perSecond} a second, p50 ${rounded([p50])} ms, p99 ${rounded([p99])} ms | 400 |`,
    `| The same with 1,000,000 credentials and 100,000 live messages | ${full} a second, ratio ${ratio} (${least} – ${most}) | no slowdown past 10 % |`,
    `| \`serve\` until it accepts requests; idle | ${start} s; ${idle} | 1 s; 150 MB |`,
    `| A phone's assertion, one of 10,000 credentials | ${assertion} ms, ${signatures} bare signatures | 1 ms |`,
    `| The same beside nid-webauthn-emulator, 1 / 200 / 1,000 credentials | ${gets} ms; it takes ${others} ms | |`,
    `| 1,000 phones with open inboxes, a push to each in one instant | the last after ${last} s; ${kib} KiB for a phone | 1 s |`,
  ].join('\n')
}
