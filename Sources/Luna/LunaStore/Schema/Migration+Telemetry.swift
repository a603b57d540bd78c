extension Migration {
  /// The queue of telemetry; "LunT".
  static let telemetry = Migration(
    applicationID: 0x4C75_6E54,
    steps: [
      // 1: `kind` is 0 for appearances, which go first when it is full, 1 for other items, 2 for samples,
      // whose value is JSON. `time` is microseconds since 1970, or since the start of the machine that
      // `boot` names. What was `sent` stays as it is: the backend may have it. AUTOINCREMENT, so that no
      // number is given twice: a settlement may come late.
      """
      CREATE TABLE items(
        number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL CHECK(length(id) = 16),
        kind INTEGER NOT NULL, time INTEGER NOT NULL, boot TEXT, key TEXT NOT NULL,
        value TEXT NOT NULL, count INTEGER NOT NULL, sent INTEGER NOT NULL DEFAULT 0) STRICT;
      CREATE INDEX items_by_key ON items(key, time) WHERE sent = 0;
      CREATE INDEX items_by_time ON items(time);
      CREATE INDEX appearances ON items(number) WHERE kind = 0 AND sent = 0;
      CREATE INDEX sent_items ON items(number) WHERE sent = 1;
      CREATE INDEX undated_items ON items(number) WHERE boot IS NOT NULL;
      CREATE TABLE totals(
        id INTEGER PRIMARY KEY CHECK(id = 1), count INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
      INSERT INTO totals VALUES(1, 0, 0);
      CREATE TRIGGER item_added AFTER INSERT ON items BEGIN
        UPDATE totals SET count = count + 1,
          bytes = bytes + 128 + length(NEW.key) + length(NEW.value); END;
      CREATE TRIGGER item_gone AFTER DELETE ON items BEGIN
        UPDATE totals SET count = count - 1,
          bytes = bytes - 128 - length(OLD.key) - length(OLD.value); END;
      CREATE TABLE aside(
        number INTEGER PRIMARY KEY, time INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
        count INTEGER NOT NULL, code TEXT NOT NULL) STRICT;
      CREATE TABLE lost(
        reason TEXT PRIMARY KEY, count INTEGER NOT NULL, since INTEGER, last INTEGER)
        STRICT, WITHOUT ROWID;
      CREATE TABLE notes(
        id INTEGER PRIMARY KEY CHECK(id = 1), sent INTEGER, problem TEXT) STRICT;
      INSERT INTO notes VALUES(1, NULL, NULL);
      """
    ])
}
