import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { utf8Octets } from '../../../src-main/core/protocol/bytes.ts'
import { readCurl } from '../../../src-main/views/inspect/curl-command.ts'

/**
 * Forms of commands in public documents: curl's manual, tutorial and scripting guide, and the pages of GitHub, GitLab, Stripe,
 * Twilio, Slack, Elasticsearch, Kubernetes, Vault, Consul, Docker, Cloudflare, SendGrid, Jira and InfluxDB. Addresses and values are
 * ours; HOST is a listener.
 */
const COMMANDS = String.raw`
curl HOST
curl http://HOST/
curl -I http://HOST/index.html
curl --head HOST/a
curl -i http://HOST/?a=b#part
curl -sSL -o /dev/null http://HOST/release.tar.gz
curl -fsSL http://HOST/install.sh | sh
curl -s http://HOST/a | jq .
curl -w '%{http_code}\n' -o /dev/null -s http://HOST/health
curl -o /dev/null --silent --write-out "%{time_total}" http://HOST/t
curl --retry 3 http://HOST/retry
curl --retry 5 --retry-delay 1 --max-time 10 --connect-timeout 5 http://HOST/r
curl -XPOST http://HOST/things
curl -XPUT http://HOST/index/_doc/1 -d'{"a": 1}' -H'Content-Type: application/json'
curl -sSXPUT http://HOST/index
curl -X DELETE "http://HOST/index?pretty"
curl -X 'POST' 'http://HOST/api' -H 'accept: application/json' -H 'Content-Type: application/json' -d '{"id": 7}'
curl --request PATCH --url http://HOST/v1/items/42 --header 'content-type: application/json' --data '{"done":true}'
curl -d name=daniel -d skill=lousy http://HOST/
curl --data "param1=value1&param2=value2" http://HOST/resource
curl --data '' http://HOST/empty
curl -d c -d a=b http://HOST/form
curl --data-raw '@at=1' http://HOST/raw
curl --data-binary $'line one\nline two' http://HOST/lines
curl --data-ascii 'a=1' http://HOST/ascii
curl --data-urlencode "name=I am Daniel" http://HOST/
curl --data-urlencode "=a&b=c" http://HOST/
curl --data-urlencode "why not?" http://HOST/
curl --data-urlencode "who=Zoë & co" --data-urlencode "n=1" http://HOST/
curl -G http://HOST/search -d q=curl -d page=2
curl -G --data-urlencode "query=up{job=\"a\"}" http://HOST/api/v1/query
curl --get --data a=1 "http://HOST/x?y=0"
curl -G http://HOST/none
curl --url-query name=value --url-query "who=a b" http://HOST/q
curl --url-query +a%20b "http://HOST/q?z"
curl --json '{"drink": "coffee"}' http://HOST/
curl --json '{"drink":' --json '"coffee"}' http://HOST/
curl --json '{}' -H 'Accept: text/plain' -X PUT http://HOST/
curl -u user:password http://HOST/
curl -u sk_test_1234: http://HOST/v1/charges -d amount=2000 -d currency=usd -d "metadata[order]=6735"
curl http://user:pass@HOST/private
curl --user 'a:b' -H 'Authorization: Bearer mine' http://HOST/
curl --oauth2-bearer mF_9.B5f-4.1JqM http://HOST/resource
curl -H "Authorization: Bearer abc123" -H "Accept: application/vnd.github+json" http://HOST/user/repos
curl -H "X-First-Name: Joe" -H "Host: example.org" http://HOST/
curl -H 'Accept:' -H 'X-Empty;' http://HOST/
curl -A "Mozilla/5.0 (X11; Linux x86_64)" http://HOST/
curl --user-agent "" http://HOST/
curl -e http://curl.se/ http://HOST/
curl -b "name=Daniel; a=b" http://HOST/
curl -b a=1 -b c=2 http://HOST/ -c /dev/null
curl -r 0-99 http://HOST/range
curl http://HOST/a/./b/../c
curl --path-as-is http://HOST/a/../b
curl "http://HOST/{one,two}.html"
curl "http://HOST/file[1-3].txt"
curl -g "http://HOST/a[b]{c}"
curl -0 -k --compressed http://HOST/old
curl -X OPTIONS --request-target '*' http://HOST/
curl -sL -m 5 -x "" --noproxy '*' -4 http://HOST/flags -n -N -v
curl --no-progress-meter --no-keepalive --http1.1 --tcp-nodelay http://HOST/n
curl http://HOST/first --next http://HOST/second
curl \
  --header "X-Vault-Token: t" \
  --request POST \
  --data '{"it'\''s": "\u00e9"}' \
  http://HOST/v1/secret/data/a # writes it
TOKEN=x curl -H 'X-A: 1' http://HOST/env > /dev/null 2>&1
$ curl http://HOST/prompt && echo done
printf 'a\012b\303\251' | curl --data-binary @- http://HOST/piped
curl -H "$(printf 'X-B: a\tb')" http://HOST/printed
curl -d "cost=\$5" http://HOST/dollar
curl -da=1 -HX-C:2 -oX http://HOST/joined`
  .trim()
  .split(/\n(?=curl|\$ curl|TOKEN|printf)/)

const sent: { method: string; target: string; headers: readonly string[]; body: string }[] = []
const server = createServer(async (request, response) => {
  const body = await readAll(request.setEncoding('latin1'))
  const headers = request.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name.toLowerCase()}: ${request.rawHeaders[at + 1]}`] : [],
  )
  sent.push({ method: request.method ?? '', target: request.url ?? '', headers, body })
  response.end()
})
let host = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

/** What depends on curl's version, or says how long the body is. */
const ITS_OWN = /^(?:content-length|expect|accept-encoding|user-agent: curl)\b/
const asSent = (headers: readonly string[]): readonly string[] =>
  headers.filter((header) => !ITS_OWN.test(header)).toSorted()

describe.skipIf(spawnSync('curl', ['--version']).status !== 0)('curl itself', () => {
  it('is given at least 60 commands', () => expect(COMMANDS.length).toBeGreaterThanOrEqual(60))

  it.each(COMMANDS)('sends what is read from %s', async (written) => {
    const command = written.replaceAll('HOST', host)
    sent.length = 0
    const shell = spawn('bash', ['-c', command.replace(/^\$ /, '').replace(/ \| (?:sh|jq \.)$/, '')], {
      stdio: 'ignore',
      cwd: '/tmp',
      env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    })
    await once(shell, 'close')
    const read = readCurl(command)
    expect(read?.unknown).toBeUndefined()
    expect({
      method: read?.method,
      target: utf8Octets(read?.target ?? ''),
      headers: asSent((read?.headers ?? []).map(([name, value]) => `${name.toLowerCase()}: ${utf8Octets(value)}`)),
      body: utf8Octets(read?.body ?? ''),
    }).toEqual({
      ...sent[0],
      // curl 7.88 writes the escapes of -G in small letters, later ones in capitals.
      target: sent[0]?.target.replace(/%[0-9a-f]{2}/g, (code) => code.toUpperCase()),
      headers: asSent(sent[0]?.headers ?? []),
    })
  })

  it('knows no option that is not in the table', () => {
    const help = spawnSync('curl', ['--help', 'all'], { encoding: 'utf8' }).stdout
    const options = [...help.matchAll(/^ (?:(-.), | {4})--([\w.-]+)( [<[])?/gm)]
    expect(options.length).toBeGreaterThan(200)
    const wrong = options.filter(([, short, long, value]) =>
      [`--${long}`, ...(short === undefined ? [] : [short])].some((word) => {
        // A value is no address, and what has none leaves the word after it to be one.
        if (long === 'next' || long === 'url') return false
        const { method, headers = [] } = readCurl(`curl ${word} given http://last/`) ?? {}
        return (
          method === undefined || (headers.find(([name]) => name === 'Host')?.[1] === 'last') !== (value !== undefined)
        )
      }),
    )
    expect(wrong.map(([line]) => line)).toEqual([])
  })
})

it.each([
  ['curl --nonsense 1 http://a/', ['unknown option', '--nonsense']],
  ['curl -s€ http://a/', ['unknown option', '-€']],
  ['curl -d @body.json http://a/', ['not known', '--data @body.json']],
  ['curl -T file http://a/', ['not known', '--upload-file file']],
  ['curl -F a=b http://a/', ['not known', '--form a=b']],
  ['curl -K file http://a/', ['not known', '--config file']],
  ['curl -H "X-A: $TOKEN" http://a/', ['not known', 'X-A: $TOKEN']],
  ['curl -d "$(cat file)" http://a/', ['not known', '$(cat file)']],
  ['curl http://$HOST/', ['not known', 'http://$HOST/']],
])('of %s it says what is not known', (command, unknown) => {
  expect(readCurl(command)?.unknown).toEqual(unknown)
})
