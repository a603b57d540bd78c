/// A step of the schema: how many unknown devices stayed at a gateway in an hour, by family. An hour is its
/// beginning, in microseconds since 1970.
enum StayingSchema {
  static let step = """
    CREATE TABLE luna.staying(
      gateway TEXT NOT NULL REFERENCES luna.fleet(id) ON DELETE CASCADE, family TEXT NOT NULL,
      hour INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(gateway, family, hour)) STRICT;
    CREATE INDEX staying_hours ON luna.staying(hour);
    """
}
