export const code = (value: unknown): string => `\`${value}\``

export const codes = (values: readonly unknown[]): string => values.map(code).join(', ')

/** A heading for each title, in the order of first appearance, with the lines of its items. */
export const sections = <Item>(
  items: readonly Item[],
  titleOf: (item: Item) => string,
  lineOf: (item: Item) => string,
): string =>
  [...new Set(items.map(titleOf))]
    .map((title) => {
      const lines = items.filter((item) => titleOf(item) === title).map(lineOf)
      return `## ${title}\n\n${lines.join('\n')}`
    })
    .join('\n\n')
