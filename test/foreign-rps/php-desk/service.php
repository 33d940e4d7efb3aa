<?php
// The client of the FIDO service: signs a request, sends it, and returns the answer only if it is well formed.
declare(strict_types=1);

const LONGEST_WAIT_MS = 3000;
const LARGEST_BODY = 65536;
const LARGEST_HEADERS = 32768;

function base_url(): string
{
    return rtrim((string) getenv('FIDO_URL'), '/');
}

/** @return array{http: int, code: int, data: mixed}|null null: no answer, or one that cannot be used */
function call_service(string $method, string $path, array $query = [], ?array $body = null, int $waitMs = LONGEST_WAIT_MS): ?array
{
    ksort($query, SORT_STRING);
    $queryText = http_build_query($query, '', '&', PHP_QUERY_RFC3986);
    $url = base_url() . $path . ($queryText === '' ? '' : "?$queryText");
    $bodyText = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);

    $text = '';
    $headerSize = 0;
    $curl = curl_init($url);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => signed_headers($method, $url, $queryText, $bodyText),
        CURLOPT_FOLLOWLOCATION => false, // a redirect would carry the signature to another host
        CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
        CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
        CURLOPT_HTTP09_ALLOWED => false,
        CURLOPT_PROXY => '',
        CURLOPT_NOSIGNAL => true,
        CURLOPT_TIMEOUT_MS => max(1, $waitMs),
        // A callback that returns less than it got ends the transfer.
        CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$headerSize): int {
            $headerSize += strlen($line);
            return $headerSize > LARGEST_HEADERS ? 0 : strlen($line);
        },
        CURLOPT_WRITEFUNCTION => function ($curl, string $part) use (&$text): int {
            $text .= $part;
            return strlen($text) > LARGEST_BODY ? 0 : strlen($part);
        },
    ]);
    if ($bodyText !== '') {
        curl_setopt($curl, CURLOPT_POSTFIELDS, $bodyText);
    }
    $done = curl_exec($curl);
    $http = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($done === false) {
        return null;
    }
    $answer = read_json($text);
    if (!$answer instanceof stdClass || !is_int($answer->code ?? null)) {
        return null;
    }
    return ['http' => $http, 'code' => $answer->code, 'data' => $answer->data ?? null, 'error' => $answer->error ?? null];
}

/** The data of an answer that says yes, else null. */
function data_of(?array $answer): ?stdClass
{
    if ($answer === null) {
        return null;
    }
    if ($answer['http'] !== 200) {
        return null;
    }
    if ($answer['code'] !== 0) {
        return null;
    }
    return $answer['data'] instanceof stdClass ? $answer['data'] : null;
}

function signed_headers(string $method, string $url, string $query, string $body): array
{
    $date = gmdate('Ymd\THis\Z');
    $parts = parse_url($url);
    $host = $parts['host'] . (isset($parts['port']) ? ":{$parts['port']}" : '');
    $names = 'host;x-svc-date';
    $canonical = implode("\n", [$method, $parts['path'], $query, "host:$host", "x-svc-date:$date", '', $names, hash('sha256', $body)]);
    $scope = 'fido-server/';
    $toSign = implode("\n", ['SVC-HMAC-SHA256', $date, $scope, hash('sha256', $canonical)]);
    $signature = hash_hmac('sha256', $toSign, (string) getenv('FIDO_SECRET'));
    return [
        "Host: $host",
        "X-Svc-Date: $date",
        'Authorization: SVC-HMAC-SHA256 ' . getenv('FIDO_KEY') . "/$scope,$names,$signature",
        'Content-Type: application/json',
        'Accept: application/json',
        'Expect:',
    ];
}

/** Null where the text is not JSON, or where an object has a member twice: json_decode would keep the last one silently. */
function read_json(string $text): mixed
{
    $value = json_decode($text, false, 16);
    if (json_last_error() !== JSON_ERROR_NONE || !preg_match_all('~"(?:[^"\\\\]++|\\\\.)*+"|[{}\[\]:]~s', $text, $found)) {
        return null;
    }
    $open = [];
    $last = '';
    foreach ($found[0] as $token) {
        if ($token === '{' || $token === '[') {
            $open[] = [];
        } elseif ($token === '}' || $token === ']') {
            array_pop($open);
        } elseif ($token === ':') {
            $name = 'name ' . json_decode($last);
            if (isset($open[count($open) - 1][$name])) {
                return null;
            }
            $open[count($open) - 1][$name] = true;
        }
        $last = $token;
    }
    return $value;
}
