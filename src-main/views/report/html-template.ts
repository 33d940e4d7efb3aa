/** Text that is HTML already; all other text is escaped on insertion. */
export type Html = { readonly html: string }

type Part = Html | string | number | undefined | readonly Part[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const written = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(written).join('')
}

/** Escapes its values, except other templates. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.map((text, i) => text + written(parts[i])).join(''),
})
