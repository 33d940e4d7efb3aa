import { type Call, encodedTarget, headComments, ifSigned, signerParts } from './call.ts'
import { DEVICE_TOKEN, SECRET_KEY } from './languages.ts'
import { javaText as text } from './literals.ts'

const SIGNER = [
  /^ *private static final Pattern ADDRESS/,
  /^ *public record Key\(/,
  /^ *public record Signed\(/,
  /public static Signed sign\(/,
  /private static String encode\(/,
  /^ *private static String sha256\(/,
]

const IMPORTS = [
  'java.net.URI',
  'java.net.http.HttpClient',
  'java.net.http.HttpRequest',
  'java.net.http.HttpRequest.BodyPublishers',
  'java.net.http.HttpResponse.BodyHandlers',
  'java.util.List',
]

/** The signer's imports that its copied parts use. */
const importsFor = (parts: string, signer: string): readonly string[] =>
  [...signer.matchAll(/^import ([\w.]+\.(\w+));$/gm)].flatMap(([, path = '', name]) =>
    new RegExp(`\\b${name}\\b`).test(parts) ? [path] : [],
  )

/** Java's HTTP client sends only ASCII unchanged. */
const isSendable = ([, value]: Call['headers'][number]): boolean => /^[\t\x20-\x7e]*$/.test(value)

const isBareQuery = (target: string): boolean => /^[^?]*\?$/.test(target)

export const javaCode = (call: Call, signer: string): string => {
  const { method, scheme, host, headers, body, hasToken } = call
  const pairs = (list: Call['headers']): string =>
    `List.<String[]>of(${list
      .filter(isSendable)
      .map(([name, value]) => `new String[] {${text(name)}, ${text(value)}}`)
      .join(', ')})`
  const left = headers.filter((header) => !isSendable(header)).map(([name]) => name)
  const parts = ifSigned(call, () => [signerParts(signer, SIGNER, '    ')])
  const imports = new Set([...IMPORTS, ...parts.flatMap((text) => importsFor(text, signer))])
  return [
    ...headComments(call, '//', 'java Call.java'),
    ...(left.length === 0 ? [] : [`// Java's HttpClient sends ASCII only; left out: ${left.join(', ')}`]),
    ...(isBareQuery(call.target) ? ["// Java's HttpClient sends no question mark with nothing behind it."] : []),
    'import static java.nio.charset.StandardCharsets.UTF_8;',
    '',
    ...[...imports].sort().map((name) => `import ${name};`),
    '',
    'public final class Call {',
    ...parts.flatMap((text) => [text, '']),
    '    public static void main(String[] args) throws Exception {',
    `        var method = ${text(method)};`,
    `        var url = ${text(`${scheme}://${host}${encodedTarget(call.target)}`)};`,
    `        var body = ${text(body)}.getBytes(UTF_8);`,
    '        var request = HttpRequest.newBuilder(URI.create(url))',
    '                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));',
    `        for (var header : ${pairs(headers)}) request.header(header[0], header[1]);`,
    ...(hasToken ? [`        request.header("Authorization", "Bearer " + System.getenv("${DEVICE_TOKEN}"));`] : []),
    ...ifSigned(call, ({ accessKeyId, identifier, isShort, signedHeaders }) => [
      `        var key = new Key(${text(accessKeyId)}, System.getenv("${SECRET_KEY}"), ${text(identifier)});`,
      `        var signed = sign(method, url, body, ${pairs(signedHeaders)}, key, null);`,
      '        request.header("X-Svc-Date", signed.date());',
      ...(isShort ? ['        // The short form names no key.'] : []),
      `        request.header("Authorization", signed.authorization()${isShort ? '.replaceFirst(" [^,]*,", " ")' : ''});`,
    ]),
    '        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();',
    '        var response = client.send(request.build(), BodyHandlers.ofByteArray());',
    '        System.err.println("HTTP " + response.statusCode());',
    '        System.out.write(response.body());',
    '        System.out.flush();',
    '    }',
    '}',
    '',
  ].join('\n')
}
