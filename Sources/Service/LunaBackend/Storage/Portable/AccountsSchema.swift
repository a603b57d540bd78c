/// Step 3 of the schema: accounts, and what they are signed in with. Digests are SHA-256 of random
/// texts that are shown once; times are microseconds since 1970.
///
/// In `refresh`, `account` is whose rights it has and with which it goes: none for a gateway, which stays
/// signed in whatever becomes of the person who approved it.
enum AccountsSchema {
  static let step = """
    CREATE TABLE luna.accounts(
      name TEXT PRIMARY KEY, role TEXT NOT NULL, created INTEGER NOT NULL,
      password TEXT, totp BLOB, totp_pending BLOB, totp_step INTEGER NOT NULL DEFAULT 0,
      recovery BLOB) STRICT;
    CREATE TABLE luna.links(
      digest BLOB PRIMARY KEY, kind TEXT NOT NULL,
      account TEXT REFERENCES luna.accounts(name) ON DELETE CASCADE,
      expires INTEGER NOT NULL) STRICT;
    CREATE TABLE luna.identities(
      id TEXT PRIMARY KEY, issuer TEXT NOT NULL, subject TEXT NOT NULL, kind TEXT NOT NULL,
      account TEXT REFERENCES luna.accounts(name) ON DELETE CASCADE, holder TEXT, label TEXT,
      created INTEGER NOT NULL, seen INTEGER NOT NULL, UNIQUE(issuer, subject)) STRICT;
    CREATE INDEX identities_of_account ON luna.identities(account);
    CREATE TABLE luna.sessions(
      digest BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE,
      account TEXT NOT NULL REFERENCES luna.accounts(name) ON DELETE CASCADE,
      state TEXT NOT NULL, method TEXT NOT NULL, created INTEGER NOT NULL, seen INTEGER NOT NULL,
      expires INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
      wrong_codes INTEGER NOT NULL DEFAULT 0, wrong_since INTEGER NOT NULL DEFAULT 0,
      address TEXT, agent TEXT) STRICT;
    CREATE INDEX sessions_of_account ON luna.sessions(account);
    CREATE TABLE luna.attempts(
      cookie BLOB NOT NULL, state BLOB NOT NULL, issuer TEXT NOT NULL, nonce TEXT NOT NULL,
      verifier TEXT NOT NULL, next TEXT, expires INTEGER NOT NULL,
      PRIMARY KEY(cookie, state)) STRICT;
    CREATE TABLE luna.grants(
      device BLOB PRIMARY KEY, user_code TEXT NOT NULL UNIQUE, client TEXT NOT NULL,
      scope TEXT NOT NULL, address TEXT, created INTEGER NOT NULL, expires INTEGER NOT NULL,
      pause INTEGER NOT NULL, polled INTEGER, state TEXT NOT NULL,
      account TEXT REFERENCES luna.accounts(name) ON DELETE CASCADE, kind TEXT, holder TEXT) STRICT;
    CREATE TABLE luna.refresh(
      family TEXT PRIMARY KEY, kind TEXT NOT NULL, holder TEXT NOT NULL,
      account TEXT REFERENCES luna.accounts(name) ON DELETE CASCADE, approver TEXT,
      client TEXT NOT NULL, scope TEXT NOT NULL, address TEXT, created INTEGER NOT NULL,
      seen INTEGER NOT NULL, expires INTEGER NOT NULL, generation INTEGER NOT NULL, current BLOB NOT NULL UNIQUE,
      previous BLOB, is_current_used INTEGER NOT NULL DEFAULT 0, ended INTEGER) STRICT;
    CREATE INDEX refresh_of_account ON luna.refresh(account);
    CREATE TABLE luna.access(
      digest BLOB PRIMARY KEY,
      family TEXT NOT NULL REFERENCES luna.refresh(family) ON DELETE CASCADE,
      generation INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT;
    CREATE INDEX access_of_family ON luna.access(family);
    CREATE TABLE luna.settings(
      name TEXT PRIMARY KEY, value TEXT NOT NULL, changed INTEGER NOT NULL, account TEXT) STRICT;
    ALTER TABLE luna.tokens ADD COLUMN rights TEXT;
    """
}
