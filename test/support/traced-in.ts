import { gunzipSync } from 'node:zlib'

/** The events behind the timeline of a report. */
export const tracedIn = (html: string): string => {
  const [, base64 = ''] = /<script type="text\/plain" id="trace:">([\w+/=]+)<\/script>/.exec(html) ?? []
  return gunzipSync(Buffer.from(base64, 'base64')).toString('utf8')
}
