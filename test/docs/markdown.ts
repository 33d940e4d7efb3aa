/** A Markdown table. Bars within cells are escaped. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export const cell = (text: string): string => text.replaceAll('|', '\\|')

export const code = (value: unknown): string => `\`${value}\``

export const codes = (values: readonly unknown[]): string => values.map(code).join(', ')
