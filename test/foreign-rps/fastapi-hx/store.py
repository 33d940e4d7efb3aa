"""Accounts, their passkeys and the sessions of browsers, in SQLite."""
import secrets
import sqlite3
import time

SESSION_SECONDS = 12 * 3600
SCHEMA = """
pragma journal_mode = wal;
create table if not exists accounts (id text primary key, name text not null unique);
create table if not exists passkeys (account text not null references accounts, id text not null, primary key (account, id));
create table if not exists sessions (token text primary key, account text references accounts, expires_at real not null);
"""


class Store:
    def __init__(self, file):
        self.db = sqlite3.connect(file, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(SCHEMA)

    def account(self, name):
        return self.db.execute("select id, name from accounts where name = ?", [name]).fetchone()

    def passkeys_of(self, account):
        return {row["id"] for row in self.db.execute("select id from passkeys where account = ?", [account])}

    def add_account(self, account, name):
        """False where the name has an account already."""
        return self.db.execute("insert or ignore into accounts values (?, ?)", [account, name]).rowcount == 1

    def add_passkeys(self, account, ids):
        self.db.executemany("insert or ignore into passkeys values (?, ?)", [(account, each) for each in ids])

    def forget_passkey(self, account, credential_id):
        self.db.execute("delete from passkeys where account = ? and id = ?", [account, credential_id])

    def open_session(self, account=None):
        token = secrets.token_urlsafe(24)
        self.db.execute("delete from sessions where expires_at < ?", [time.time()])
        self.db.execute("insert into sessions values (?, ?, ?)", [token, account, time.time() + SESSION_SECONDS])
        return token

    def session(self, token):
        """The session with the account that is signed in, if there is one."""
        return self.db.execute(
            "select token, account, name from sessions left join accounts on id = account where token = ? and expires_at > ?",
            [token, time.time()],
        ).fetchone()

    def close_session(self, token):
        self.db.execute("delete from sessions where token = ?", [token])
