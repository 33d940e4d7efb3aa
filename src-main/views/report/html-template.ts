import { escapeInvisible } from '../../core/protocol/visible.ts'

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

/** For code that the reader copies: invisible characters stay as they are. */
export const escapeOnly = (text: string): Html => ({ html: text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign) })

const written = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string') return escapeOnly(escapeInvisible(part)).html
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(written).join('')
}

/** One self-contained HTML file, without scripts or external resources. */
export const plainPage = (title: string, style: string, main: Html): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${{ html: style }}</style>
<main>
${main}
</main>
</html>
`.html

/** Escapes its values, except other templates, and makes invisible characters visible. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.map((text, i) => text + written(parts[i])).join(''),
})
