extension Migration {
  /// What a home remembers; "LunH". Whoever adds a table appends a step.
  static let home = Migration(
    applicationID: 0x4C75_6E48,
    steps: [
      // 1: Times are µs since 1970. `parts` is the state of the rules, in pieces that change on their
      // own. `records` say why rules ran (kind 0), did not run (1) or were missed (2), as JSON;
      // `outcomes` say what became of the actions of those that ran. A value is a number or a text, or
      // JSON as bytes; a position is in units of 10⁻⁷ degrees and of 0.1 m. `report` tells reports of
      // one time apart, and makes each of them stay the only one. `inputs` is what the rules were told,
      // for a day to be judged again.
      """
      CREATE TABLE parts(name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE records(
        number INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, rule TEXT NOT NULL,
        firing TEXT, time INTEGER NOT NULL, value TEXT NOT NULL) STRICT;
      CREATE INDEX records_by_rule ON records(rule, kind, number);
      CREATE INDEX records_by_time ON records(time);
      CREATE UNIQUE INDEX records_by_firing ON records(firing) WHERE firing IS NOT NULL;
      CREATE TABLE outcomes(
        firing TEXT NOT NULL, action INTEGER NOT NULL, part INTEGER NOT NULL, name TEXT NOT NULL,
        state TEXT NOT NULL, time INTEGER NOT NULL, detail TEXT NOT NULL, request TEXT NOT NULL,
        PRIMARY KEY(firing, action, part)) STRICT, WITHOUT ROWID;
      CREATE INDEX begun_outcomes ON outcomes(time) WHERE state = 'begun';
      CREATE TABLE commands(
        id TEXT PRIMARY KEY, tracker TEXT NOT NULL, action TEXT NOT NULL, value TEXT,
        state TEXT NOT NULL, time INTEGER NOT NULL, changed INTEGER NOT NULL, detail TEXT NOT NULL)
        STRICT, WITHOUT ROWID;
      CREATE INDEX commands_by_time ON commands(time);
      CREATE TABLE series(
        id INTEGER PRIMARY KEY, tracker TEXT NOT NULL, property TEXT NOT NULL,
        UNIQUE(tracker, property)) STRICT;
      CREATE TABLE points(
        series INTEGER NOT NULL, time INTEGER NOT NULL, value ANY NOT NULL,
        PRIMARY KEY(series, time)) STRICT, WITHOUT ROWID;
      CREATE TABLE hours(
        series INTEGER NOT NULL, time INTEGER NOT NULL, value ANY NOT NULL,
        PRIMARY KEY(series, time)) STRICT, WITHOUT ROWID;
      CREATE TABLE fixes(
        series INTEGER NOT NULL, time INTEGER NOT NULL, report INTEGER NOT NULL,
        latitude INTEGER NOT NULL, longitude INTEGER NOT NULL, accuracy INTEGER NOT NULL,
        source TEXT NOT NULL, PRIMARY KEY(series, time, report)) STRICT, WITHOUT ROWID;
      CREATE TABLE inputs(
        number INTEGER PRIMARY KEY, time INTEGER NOT NULL, value TEXT NOT NULL) STRICT;
      CREATE INDEX inputs_by_time ON inputs(time);
      """,
      // 2: What people are to be told: a row for each message and address. `request` is what a rule asks
      // of a server, as JSON, else NULL. `unsure` counts how often the process was ended while nobody
      // knew whether it had arrived. `state` is waiting, sent or failed, the latter two since `ended`.
      """
      CREATE TABLE outbox(
        id INTEGER PRIMARY KEY AUTOINCREMENT, firing TEXT NOT NULL, number INTEGER NOT NULL,
        channel TEXT NOT NULL, contact TEXT NOT NULL, message TEXT NOT NULL, request TEXT,
        at INTEGER NOT NULL, delayed INTEGER NOT NULL, since INTEGER NOT NULL,
        due INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        unsure INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'waiting',
        reason TEXT NOT NULL DEFAULT '', ended INTEGER,
        UNIQUE(firing, number, channel, contact)) STRICT;
      CREATE INDEX outbox_by_state ON outbox(state, id);
      """,
      // 3: Who may use it. `trackers` are those that a guest sees, one a line. Of secrets only digests
      // are kept; of passwords what is made of them by scrypt. `objects` are the places and rules that
      // people make, beside those of the file.
      """
      CREATE TABLE accounts(
        name TEXT PRIMARY KEY, role TEXT NOT NULL, trackers TEXT NOT NULL DEFAULT '', until INTEGER,
        created INTEGER NOT NULL, password TEXT, totp BLOB, totp_pending BLOB,
        totp_step INTEGER NOT NULL DEFAULT 0, recovery BLOB) STRICT, WITHOUT ROWID;
      CREATE TABLE sessions(
        digest BLOB PRIMARY KEY, id TEXT NOT NULL, account TEXT NOT NULL, needs_code INTEGER NOT NULL,
        created INTEGER NOT NULL, seen INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
        agent TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE INDEX sessions_by_account ON sessions(account);
      CREATE TABLE links(
        digest BLOB PRIMARY KEY, kind TEXT NOT NULL, account TEXT, expires INTEGER NOT NULL)
        STRICT, WITHOUT ROWID;
      CREATE TABLE tokens(
        name TEXT PRIMARY KEY, digest BLOB NOT NULL UNIQUE, role TEXT NOT NULL,
        created INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE objects(
        kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(kind, id))
        STRICT, WITHOUT ROWID;
      """,
      // 4: Whose browsers are told (RFC 8291), and the key by which push services know this home
      // (RFC 8292).
      """
      CREATE TABLE browsers(
        id TEXT PRIMARY KEY, account TEXT NOT NULL, contact TEXT NOT NULL,
        endpoint TEXT NOT NULL UNIQUE, key BLOB NOT NULL, auth BLOB NOT NULL,
        created INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE push_key(only INTEGER PRIMARY KEY CHECK(only = 1), scalar BLOB NOT NULL) STRICT;
      """,
      // 5: The passkeys with which accounts are signed in (WebAuthn); `key` is COSE. `identities` are what
      // they are called by an issuer (OpenID Connect). An address of mail counts once its owner has used a link.
      """
      CREATE TABLE passkeys(
        id BLOB PRIMARY KEY, account TEXT NOT NULL, key BLOB NOT NULL, count INTEGER NOT NULL,
        name TEXT NOT NULL, created INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE INDEX passkeys_by_account ON passkeys(account);
      CREATE TABLE identities(
        issuer TEXT NOT NULL, subject TEXT NOT NULL, account TEXT NOT NULL,
        created INTEGER NOT NULL, PRIMARY KEY(issuer, subject)) STRICT, WITHOUT ROWID;
      CREATE INDEX identities_by_account ON identities(account);
      ALTER TABLE accounts ADD COLUMN email TEXT;
      ALTER TABLE accounts ADD COLUMN email_pending TEXT;
      """,
    ])
}
