/// Step 4 of the schema: how gateways are, and what programs record of themselves. Times are microseconds
/// since 1970; `gateway` is the name of its tokens. Nothing here tells of an event which gateway it came
/// from: an item of telemetry is named by a digest of who sent it and of what that one calls it.
enum TelemetrySchema {
  /// `samples` are as ``SampleCodec`` writes them, of five minutes, hours and days (``SampleStep``);
  /// `telemetry_sums` of an hour and a key, with 32 ``TelemetrySums/buckets``.
  static let step = """
    CREATE TABLE luna.health(
      gateway TEXT PRIMARY KEY, time INTEGER NOT NULL, verdict TEXT NOT NULL, reasons TEXT NOT NULL,
      report TEXT NOT NULL) STRICT;
    CREATE TABLE luna.samples(
      gateway TEXT NOT NULL, step INTEGER NOT NULL, time INTEGER NOT NULL, count INTEGER NOT NULL,
      data BLOB NOT NULL, PRIMARY KEY(gateway, step, time)) WITHOUT ROWID;
    CREATE TABLE luna.telemetry(
      id BLOB PRIMARY KEY, received INTEGER NOT NULL, time INTEGER NOT NULL, key TEXT NOT NULL,
      value TEXT NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX telemetry_by_age ON luna.telemetry(received);
    CREATE TABLE luna.telemetry_sums(
      key TEXT NOT NULL, hour INTEGER NOT NULL, count INTEGER NOT NULL, sum REAL NOT NULL,
      low REAL, high REAL, buckets BLOB NOT NULL, PRIMARY KEY(key, hour)) WITHOUT ROWID;
    CREATE INDEX telemetry_sums_by_age ON luna.telemetry_sums(hour);
    """
}
