/** As a shell takes it: a word that begins with # would be a comment. */
export const shellWord = (text: string): string =>
  /^(?!#)[\w@%+=:,./#-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
