/// A step of the schema: when a command was called off, and the identifier of its first package.
enum CancellingSchema {
  static let step = """
    ALTER TABLE luna.commands ADD COLUMN cancelled INTEGER;
    ALTER TABLE luna.commands ADD COLUMN first_heid BLOB;
    """
}
