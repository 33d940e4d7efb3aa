import { type Html, html } from './html-template.ts'

/** The viewer as built by `npm run build`. */
export type Viewer = { readonly script: string; readonly style: string; readonly sha256: string }

export type ViewerPage = {
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
