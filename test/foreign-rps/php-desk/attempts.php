<?php
// Registrations and sign-ins that are under way. No process of its own drives them: advance() is called when the browser asks.
declare(strict_types=1);

const PAUSE_MS = 140;          // the browser asks every 150 ms
const MOST_MISSES = 8;
const LONGEST_ATTEMPT_S = 900; // an expires_at beyond it is not believed

/** Asks the service to begin; returns the attempt's id, or null when the service gives no usable answer. */
function begin(string $purpose, string $method, int $number, string $userId, string $name): ?string
{
    $ceremony = $purpose === 'signin' ? 'assertion' : 'attestation';
    $body = ['user_id' => $userId, 'username' => $name] + ($purpose === 'signin' ? ['method' => $method] : []);
    $data = data_of(call_service('POST', "/rp/$ceremony/options", [], $body));
    $url = $data->url ?? null;
    $msgId = is_string($url) ? msg_id_of($url, $purpose === 'signin' ? 'a' : 'r') : null;
    $expires = $data->expires_at ?? null;
    if ($msgId === null || !is_int($expires) || $expires <= time() || $expires > time() + LONGEST_ATTEMPT_S) {
        return null;
    }
    $id = bin2hex(random_bytes(16));
    $state = 'pending';
    $added = query(
        'INSERT OR IGNORE INTO attempts (id, purpose, method, number, user_id, name, msg_id, url, expires_ms, state, next_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        [$id, $purpose, $method, $number, $userId, $name, $msgId, $url, $expires * 1000, $state, now_ms() + PAUSE_MS],
    );
    return $added->rowCount() === 1 ? $id : null;
}

/** The url must lead to the service itself and carry the token behind the #, else a phone would be sent elsewhere. */
function msg_id_of(string $url, string $kind): ?string
{
    if (!preg_match('~^(https?://[A-Za-z0-9.:\[\]-]+)/[\x21\x24-\x5b\x5d-\x7e]*#' . $kind . '([A-Za-z0-9_-]{1,100})$~D', $url, $parts)) {
        return null;
    }
    preg_match('~^https?://[^/]+~', base_url(), $own);
    return strcasecmp($parts[1], $own[0]) === 0 && strlen($url) <= QR_LARGEST ? $parts[2] : null;
}

function attempt(string $id): ?array
{
    return row('SELECT * FROM attempts WHERE id = ?', [$id]);
}

/** Asks the service once, if it is time to, and returns the attempt as it then stands. */
function advance(array $attempt): array
{
    if ($attempt['state'] !== 'pending') {
        return $attempt;
    }
    $id = $attempt['id'];
    $now = now_ms();
    if ($now >= $attempt['expires_ms']) {
        return settle($id, 'failed', 'The time is over.');
    }
    // The row is the lock: of several requests that come at once, one alone gets past this line.
    $mine = query(
        'UPDATE attempts SET busy_ms = ? WHERE id = ? AND state = ? AND busy_ms < ? AND next_ms <= ?',
        [$now + LONGEST_WAIT_MS + 2000, $id, $attempt['state'], $now, $now],
    )->rowCount() === 1;
    if (!$mine) {
        return attempt($id);
    }
    $attempt = attempt($id); // another request may have changed it before the lock
    // A response is not waited for beyond the end of the attempt.
    $waitMs = min(LONGEST_WAIT_MS, $attempt['expires_ms'] - $now);
    [$verdict, $note] = $attempt['confirming'] ? confirm($attempt, $waitMs) : ask($attempt, $waitMs);
    if ($verdict === 'nothing' && $attempt['misses'] + 1 >= MOST_MISSES) {
        return settle($id, 'failed', 'The service does not answer as it should.');
    }
    if ($verdict === 'success' || $verdict === 'failed') {
        return settle($id, $verdict, $note);
    }
    query(
        'UPDATE attempts SET misses = ?, note = ?, confirming = ?, busy_ms = 0, next_ms = ? WHERE id = ?',
        [
            $verdict === 'nothing' ? $attempt['misses'] + 1 : 0,
            $verdict === 'nothing' ? $attempt['note'] : $note,
            $verdict === 'confirm' ? 1 : $attempt['confirming'],
            now_ms() + PAUSE_MS,
            $id,
        ],
    );
    return attempt($id);
}

/** Ends an attempt. One that has ended stays as it is. */
function settle(string $id, string $state, string $note): array
{
    query("UPDATE attempts SET state = ?, note = ?, busy_ms = 0 WHERE id = ? AND state = 'pending'", [$state, $note, $id]);
    return attempt($id);
}

/** @return array{string, string} waiting, confirm, success, failed or nothing; and a word to the user */
function ask(array $attempt, int $waitMs): array
{
    $ceremony = $attempt['purpose'] === 'signin' ? 'assertion' : 'attestation';
    $answer = call_service('GET', "/rp/$ceremony/result", ['msg_id' => $attempt['msg_id']], null, $waitMs);
    if ($answer !== null && in_array($answer['code'], [41001, 40402], true)) {
        return ['failed', 'The service has no answer for this request any more.'];
    }
    $data = data_of($answer);
    $status = $data->status ?? null;
    $error = short_text($data->error ?? '');
    $scannedBy = short_text($data->svc_user ?? '');
    if ($status === 'init') {
        return ['waiting', ''];
    }
    if ($status === 'bind') {
        return ['waiting', "Scanned by $scannedBy. Please confirm on the phone."];
    }
    if ($status === 'fail') {
        return ['failed', $error];
    }
    if ($status === 'timeout') {
        return ['failed', 'The time is over.'];
    }
    if ($status === 'success') {
        $fits = trim($scannedBy) !== ''
            && ($data->error ?? null) === '' && $answer['error'] === ''
            && ($attempt['purpose'] !== 'signin' || ($data->user_id ?? null) === $attempt['user_id']);
        if (!$fits) {
            return ['failed', 'The service gave an answer that does not belong to this request.'];
        }
        return [$attempt['purpose'] === 'signin' ? 'success' : 'confirm', ''];
    }
    return ['nothing', ''];
}

/** A registration counts when the service lists a passkey that the desk does not know yet. */
function confirm(array $attempt, int $waitMs): array
{
    $data = data_of(call_service('GET', '/rp/credentials', ['user_id' => $attempt['user_id']], null, $waitMs));
    if (!is_array($data->list ?? null)) {
        return ['nothing', ''];
    }
    $known = array_column(passkeys($attempt['number']), 'credential_id');
    $new = array_filter(own_credentials($data->list, $attempt['user_id']), fn ($one) => !in_array($one->credential_id, $known, true));
    if ($new === []) {
        return ['failed', 'The service does not list the new passkey.'];
    }
    db()->exec('BEGIN IMMEDIATE');
    try {
        if (attempt($attempt['id'])['state'] !== 'pending') {
            return ['nothing', '']; // it ended while this request was under way
        }
        if ($attempt['purpose'] === 'register') {
            $added = query('INSERT OR IGNORE INTO accounts (number, user_id, name) VALUES (?, ?, ?)', [$attempt['number'], $attempt['user_id'], $attempt['name']]);
            if ($added->rowCount() !== 1) {
                return ['failed', 'Somebody else has taken this name.'];
            }
        }
        foreach ($new as $one) {
            query('INSERT OR IGNORE INTO passkeys (number, credential_id, name) VALUES (?, ?, ?)', [$attempt['number'], $one->credential_id, short_text($one->credential_name ?? '')]);
        }
        settle($attempt['id'], 'success', '');
    } finally {
        db()->exec('COMMIT');
    }
    return ['success', ''];
}

/** @return list<stdClass> the entries of a list that are well formed and belong to the user */
function own_credentials(array $list, string $userId): array
{
    return array_values(array_filter($list, fn ($one) => $one instanceof stdClass
        && is_string($one->credential_id ?? null) && $one->credential_id !== '' && ($one->user_id ?? null) === $userId));
}

/** The desk's own record: an empty list of the service proves nothing. */
function passkeys(int $number): array
{
    return query('SELECT credential_id, name FROM passkeys WHERE number = ? ORDER BY rowid', [$number])->fetchAll(PDO::FETCH_ASSOC);
}

function account(int $number): ?array
{
    return row('SELECT * FROM accounts WHERE number = ?', [$number]);
}

function account_named(string $name): ?array
{
    return row('SELECT * FROM accounts WHERE name = ?', [$name]);
}

/** The next number. The service may know some of an earlier database; a new account must not come with their passkeys. */
function free_number(): ?int
{
    for ($try = 0; $try < 100; $try++) {
        $number = (int) query('UPDATE counter SET next = next + 1 RETURNING next - 1')->fetchAll(PDO::FETCH_COLUMN)[0];
        $data = data_of(call_service('GET', '/rp/credentials', ['user_id' => (string) $number], null, 1000));
        // No usable list is no reason to stop: the registration itself is judged at its end.
        if (!is_array($data->list ?? null) || own_credentials($data->list, (string) $number) === []) {
            return $number;
        }
    }
    return null;
}

/** A text of the service, cut to what fits a line; '' where it is no text. */
function short_text(mixed $value): string
{
    return is_string($value) && preg_match('/^.{0,200}/us', $value, $found) ? $found[0] : '';
}
