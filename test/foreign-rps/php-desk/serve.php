<?php
// Runs the built-in server and ends it together with its workers: on SIGTERM the server alone would die and its workers would keep the port.
declare(strict_types=1);

$data = (string) getenv('DESK_DATA');
$settings = [
    'display_errors' => '0', 'log_errors' => '1', 'error_log' => '', 'html_errors' => '0',
    'session.save_path' => "$data/sessions", 'session.name' => 'desk_session', 'session.use_strict_mode' => '1',
    'session.cookie_httponly' => '1', 'session.cookie_samesite' => 'Lax', 'session.cache_limiter' => '',
];
$arguments = ['-S', '127.0.0.1:' . getenv('PORT'), __DIR__ . '/router.php'];
foreach ($settings as $name => $value) {
    array_unshift($arguments, '-d', "$name=$value");
}

$server = pcntl_fork();
if ($server === 0) {
    pcntl_exec(PHP_BINARY, $arguments, ['PHP_CLI_SERVER_WORKERS' => '6'] + getenv());
    exit(1);
}
$end = function () use ($server): never {
    $workers = preg_split('/\s+/', (string) @file_get_contents("/proc/$server/task/$server/children"), -1, PREG_SPLIT_NO_EMPTY);
    foreach ([...array_map(intval(...), $workers), $server] as $process) {
        posix_kill($process, SIGTERM);
    }
    exit(0);
};
pcntl_async_signals(true);
pcntl_signal(SIGTERM, $end, false);
pcntl_signal(SIGINT, $end, false);
pcntl_waitpid($server, $status);
exit(1);
