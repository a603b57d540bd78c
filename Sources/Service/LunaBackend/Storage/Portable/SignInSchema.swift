/// Step 8 of the schema: which identities the rules of an issuer look after, and what became of a code that
/// was approved, for when the answer is lost.
enum SignInSchema {
  static let step = """
    ALTER TABLE luna.identities ADD COLUMN by_rule INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE luna.grants ADD COLUMN family TEXT;
    """
}
