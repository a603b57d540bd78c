/// Step 7 of the schema: what everybody has set for the console, as JSON, by the name that changes call one
/// by.
enum PreferencesSchema {
  static let step = """
    CREATE TABLE luna.preferences(
      owner TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(owner, name)) STRICT;
    """
}
