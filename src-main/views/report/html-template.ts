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
export const escapeHtml = (text: string): Html => ({ html: text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign) })

const written = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string') return escapeHtml(escapeInvisible(part)).html
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

/** The viewer as built by `npm run build`. */
export type Viewer = { readonly script: string; readonly style: string; readonly sha256: string }

type ViewerPage = {
  readonly title: string
  readonly viewer: Viewer
  /** Shown above the viewer; it needs no script. */
  readonly head?: Html
  /** Data by element id: gzip in base64. */
  readonly data: ReadonlyMap<string, string>
}

/** One HTML file without external resources. */
export const viewerPage = ({ title, viewer, head, data }: ViewerPage): string => {
  const policy = `default-src 'none'; script-src 'sha256-${viewer.sha256}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`
  const blocks = [...data].map(([id, base64]) => html`<script type="text/plain" id="${id}">${base64}</script>\n`)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${{ html: viewer.style }}</style>
</head>
<body>
${head ?? ''}<div id="root"></div>
${blocks}<script type="module">${{ html: viewer.script }}</script>
</body>
</html>
`.html
}

/** Escapes a script so that nothing in it ends the script element. */
export const escapeScript = (script: string): string => script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c')
