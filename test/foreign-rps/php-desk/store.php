<?php
declare(strict_types=1);

function db(): PDO
{
    static $db = null;
    if ($db === null) {
        $db = new PDO('sqlite:' . getenv('DESK_DATA') . '/desk.sqlite');
        $db->exec('PRAGMA busy_timeout = 3000');
    }
    return $db;
}

/** Runs one statement and returns it. */
function query(string $sql, array $values = []): PDOStatement
{
    $statement = db()->prepare($sql);
    $statement->execute($values);
    return $statement;
}

function row(string $sql, array $values = []): ?array
{
    return query($sql, $values)->fetchAll(PDO::FETCH_ASSOC)[0] ?? null;
}

function now_ms(): int
{
    return (int) (microtime(true) * 1000);
}
