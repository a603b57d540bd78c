/// The keys of an object, and what they ask of each other.
struct Members: Sendable {
  /// A key that has to be there where another one has a value.
  struct Need: Sendable {
    let key: String
    let value: String
    let needs: [String]
  }

  let keys: [Key]
  /// Of these at most one may be there.
  let exclusive: [[String]]
  /// Of these exactly one has to be there.
  let exactlyOne: [[String]]
  /// What has to be there where the key is.
  let together: [String: [String]]
  let needs: [Need]

  init(
    _ keys: [Key], exclusive: [[String]] = [], exactlyOne: [[String]] = [],
    together: [String: [String]] = [:], needs: [Need] = []
  ) {
    self.keys = keys
    self.exclusive = exclusive
    self.exactlyOne = exactlyOne
    self.together = together
    self.needs = needs
  }
}
