<?php
// The pages. Every text that is not the desk's own goes through h().
declare(strict_types=1);

function h(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}

function csrf_field(): string
{
    return '<input type="hidden" name="csrf" value="' . h($_SESSION['csrf']) . '">';
}

function page(string $title, string $body, int $status = 200, string $head = ''): void
{
    http_response_code($status);
    header('Content-Type: text/html; charset=utf-8');
    $account = signed_in();
    $top = '';
    if ($account !== null) {
        $top = '<header><p>Account ' . h($account['user_id']) . ' · ' . h($account['name']) . '</p>'
            . '<form method="post" action="/log-out">' . csrf_field() . '<button>Log out</button></form></header>';
    }
    $flash = $_SESSION['flash'] ?? '';
    unset($_SESSION['flash']);
    $alert = $flash === '' ? '' : '<p role="alert">' . h($flash) . '</p>';
    echo "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", h($title), "</title>$head",
        '<style>body{font:16px sans-serif;max-width:40em;margin:2em auto;background:#fff}header{display:flex;gap:1em;align-items:center}label{display:block;margin:.5em 0}</style>',
        "</head><body>$top<main><h1>", h($title), "</h1>$alert$body</main></body></html>\n";
}

function front_page(): void
{
    $csrf = csrf_field();
    page('Help desk', <<<HTML
        <h2>Sign in</h2>
        <form method="post" action="/sign-in">$csrf
          <label>Account name <input name="name" required maxlength="128" autocomplete="username"></label>
          <button name="method" value="qrcode">Sign in with a code</button>
          <button name="method" value="push">Sign in by push</button>
        </form>
        <h2>New here?</h2>
        <form method="post" action="/register">$csrf
          <label>Name for a new account <input name="name" required maxlength="128" autocomplete="off"></label>
          <button>Register a passkey</button>
        </form>
        HTML);
}

function account_page(array $account): void
{
    $csrf = csrf_field();
    $items = '';
    foreach (passkeys((int) $account['number']) as $one) {
        $name = h($one['name'] === '' ? 'Passkey without a name' : $one['name']);
        $id = h($one['credential_id']);
        $items .= "<li>$name <form method=\"post\" action=\"/passkeys/remove\">$csrf<input type=\"hidden\" name=\"credential_id\" value=\"$id\">"
            . "<button aria-label=\"Remove $name\">Remove</button></form></li>";
    }
    $list = $items === '' ? '<p>You have no passkey. Add one before you log out, or you cannot sign in again.</p>' : "<ul>$items</ul>";
    page('Your account', <<<HTML
        <p role="status">You are signed in.</p>
        <h2>Passkeys</h2>
        $list
        <form method="post" action="/passkeys/add">$csrf<button>Add a passkey</button></form>
        HTML);
}

function attempt_page(array $attempt): void
{
    $what = $attempt['purpose'] === 'signin' ? 'Sign-in' : 'Registration';
    if ($attempt['state'] === 'failed') {
        page("$what failed", '<p role="alert">' . h(state_text($attempt)) . '</p><p><a href="/">Try again</a></p>');
        return;
    }
    $text = h(state_text($attempt));
    $code = $attempt['method'] === 'qrcode' ? '<p>Scan this code with your phone.</p>' . qr_svg($attempt['url']) : '<p>Look at your phone: it asks you to confirm.</p>';
    $path = json_encode("/attempts/{$attempt['id']}/state");
    page($what, <<<HTML
        $code
        <p role="status" id="status">$text</p>
        <p><a href="/">Cancel</a></p>
        <script>
        const ask = async () => {
          try {
            const response = await fetch($path)
            const { state, text } = await response.json()
            if (state !== 'pending') return location.reload()
            document.getElementById('status').textContent = text
          } catch { /* the next time may work */ }
          setTimeout(ask, 150)
        }
        setTimeout(ask, 150)
        </script>
        HTML, 200, '<noscript><meta http-equiv="refresh" content="1"></noscript>');
}

function state_text(array $attempt): string
{
    $what = $attempt['purpose'] === 'signin' ? 'sign-in' : 'registration';
    return match ($attempt['state']) {
        'pending' => $attempt['note'] === '' ? 'Waiting for your phone.' : $attempt['note'],
        'failed' => "The $what failed. " . $attempt['note'],
        default => "The $what succeeded.",
    };
}
