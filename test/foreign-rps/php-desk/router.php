<?php
// Every request comes here; the built-in server serves no files.
declare(strict_types=1);

require __DIR__ . '/store.php';
require __DIR__ . '/service.php';
require __DIR__ . '/qr.php';
require __DIR__ . '/attempts.php';
require __DIR__ . '/view.php';

const NOT_BEGUN = 'The service gave no usable answer, so nothing has begun. Please try again.';

try {
    route($_SERVER['REQUEST_METHOD'], (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
} catch (Throwable $problem) {
    error_log((string) $problem);
    http_response_code(503);
    header('Content-Type: text/plain; charset=utf-8');
    echo "Something went wrong. Please try again.\n";
}

function route(string $method, string $path): void
{
    header('Cache-Control: no-store');
    header('X-Content-Type-Options: nosniff');
    open_session();
    if (preg_match('~^/attempts/([0-9a-f]{32})(/state)?$~D', $path, $parts) && $method === 'GET') {
        show_attempt($parts[1], isset($parts[2]));
        return;
    }
    if ($path === '/' && $method === 'GET') {
        $account = signed_in();
        $account === null ? front_page() : account_page($account);
        return;
    }
    $actions = ['/register' => 'register', '/sign-in' => 'sign_in', '/log-out' => 'log_out', '/passkeys/add' => 'add_passkey', '/passkeys/remove' => 'remove_passkey'];
    if (!isset($actions[$path]) || $method !== 'POST') {
        page('Not found', '<p>There is no such page. <a href="/">To the start</a></p>', 404);
        return;
    }
    if (!hash_equals($_SESSION['csrf'], field('csrf'))) {
        page('The form is too old', '<p role="alert">The form does not belong to this visit. <a href="/">Please start again.</a></p>', 403);
        return;
    }
    header('Location: ' . $actions[$path](), true, 303);
}

function register(): string
{
    if (signed_in() !== null) {
        return with_word('Log out before you register another account.');
    }
    $name = field('name');
    if (!is_name($name)) {
        return with_word('Please give a name of 1 to 128 characters.');
    }
    if (account_named($name) !== null) {
        return with_word('This name is taken. Sign in to add a passkey to the account.');
    }
    // A number of its own for each registration: whoever loses the race for a name has no passkey of the winner.
    $number = free_number();
    if ($number === null) {
        return with_word(NOT_BEGUN);
    }
    $userId = (string) $number;
    return started(begin('register', 'qrcode', $number, $userId, $name));
}

function sign_in(): string
{
    $account = account_named(field('name'));
    $method = field('method') === 'push' ? 'push' : 'qrcode';
    if ($account === null || passkeys((int) $account['number']) === []) {
        return with_word('There is no account of this name that has a passkey.');
    }
    return started(begin('signin', $method, (int) $account['number'], $account['user_id'], $account['name']));
}

function add_passkey(): string
{
    $account = signed_in();
    if ($account === null) {
        return with_word('Sign in before you add a passkey.');
    }
    return started(begin('add', 'qrcode', (int) $account['number'], $account['user_id'], $account['name']));
}

function remove_passkey(): string
{
    $account = signed_in();
    $id = field('credential_id');
    if ($account === null || !in_array($id, array_column(passkeys((int) $account['number']), 'credential_id'), true)) {
        return with_word('There is no such passkey.');
    }
    $data = data_of(call_service('DELETE', '/rp/credentials', [], ['user_id' => $account['user_id'], 'credential_ids' => [$id]]));
    // 0 is right too: then the service had lost it before.
    if (!in_array($data->total ?? null, [0, 1], true)) {
        return with_word('The service gave no usable answer. The passkey is still there.');
    }
    query('DELETE FROM passkeys WHERE number = ? AND credential_id = ?', [$account['number'], $id]);
    return with_word('The passkey is removed.');
}

function log_out(): string
{
    session_regenerate_id(true);
    $_SESSION = [];
    return '/';
}

function show_attempt(string $id, bool $asJson): void
{
    if (!isset($_SESSION['attempts'][$id])) {
        $asJson ? json(404, ['state' => 'gone', 'text' => 'This browser has begun no such request.'])
            : page('Not found', '<p>This browser has begun no such request. <a href="/">To the start</a></p>', 404);
        return;
    }
    // PHP locks a session that is open: other pages of this browser would wait as long as the service.
    session_write_close();
    $attempt = advance(attempt($id));
    if ($asJson) {
        json(200, ['state' => $attempt['state'], 'text' => state_text($attempt)]);
        return;
    }
    open_session();
    if ($attempt['state'] !== 'success') {
        attempt_page($attempt);
        return;
    }
    // The browser may have logged out meanwhile; then its session does not hold the attempt any more.
    if (isset($_SESSION['attempts'][$id])) {
        unset($_SESSION['attempts'][$id]);
        if ($attempt['purpose'] !== 'add') {
            session_regenerate_id(true);
            $_SESSION = ['csrf' => bin2hex(random_bytes(16)), 'account' => (int) $attempt['number']];
        }
    }
    header('Location: /', true, 303);
}

function signed_in(): ?array
{
    return isset($_SESSION['account']) ? account($_SESSION['account']) : null;
}

function started(?string $attemptId): string
{
    if ($attemptId === null) {
        return with_word(NOT_BEGUN);
    }
    $_SESSION['attempts'] = array_slice($_SESSION['attempts'] ?? [], -20, null, true) + [$attemptId => true];
    return "/attempts/$attemptId";
}

/** Keeps a word for the next page of this browser. */
function with_word(string $word): string
{
    $_SESSION['flash'] = $word;
    return '/';
}

function open_session(): void
{
    session_start();
    $_SESSION['csrf'] ??= bin2hex(random_bytes(16));
}

function field(string $name): string
{
    $value = $_POST[$name] ?? '';
    return is_string($value) ? trim($value) : '';
}

function is_name(string $text): bool
{
    return preg_match('/^[^\p{Cc}]{1,128}$/Du', $text) === 1;
}

function json(int $status, array $value): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($value, JSON_THROW_ON_ERROR);
}
