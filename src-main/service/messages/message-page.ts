import { createHash } from 'node:crypto'
import type { RawResponse } from '../../http/message.ts'

const STYLE = `
:root { color-scheme: light dark; font: 17px/1.55 system-ui, sans-serif }
body { margin: 12vh auto; max-width: 34rem; padding: 0 1.5rem }
h1 { font-size: 1.5rem; line-height: 1.25 }
ol { padding-left: 1.25rem }
li { margin: .4rem 0 }
small { opacity: .75 }
`

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A request for your phone</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>This address is a request for your phone</h1>
<p>Somebody asks you to register or to sign in. The address means nothing to a browser: it belongs into the app on your phone, as a QR code.</p>
<ol>
<li>Go back to the page that showed you the code.</li>
<li>Open the app on your phone and choose to scan.</li>
<li>Point it at the code, read what is asked, and confirm or reject it there.</li>
</ol>
<p><small>The part of the address behind the # names the request. Browsers keep it to themselves, so nothing was used up by opening this page.</small></p>
</main>
</body>
</html>
`

const styleHash = createHash('sha256').update(STYLE).digest('base64')

/** Shown to a person who opens a message address in a browser: no script, no external resources. */
export const messagePage: RawResponse = {
  status: 200,
  headers: [
    ['Content-Type', 'text/html; charset=utf-8'],
    [
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cache-Control', 'no-cache'],
  ],
  body: HTML,
}
