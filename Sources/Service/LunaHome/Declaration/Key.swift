import LunaJSON

/// A name in an object of the file.
struct Key: Sendable {
  let name: String
  /// What older files call it.
  let former: [String]
  let shape: Shape
  let isRequired: Bool
  /// What holds where it is left out.
  let standard: JSONValue?
  let meaning: String
  /// Whether this program does something with it; else the check warns.
  let isUsed: Bool

  init(
    _ name: String, _ shape: Shape, _ meaning: String, former: [String] = [],
    isRequired: Bool = false, standard: JSONValue? = nil,
    isUsed: Bool = true
  ) {
    self.name = name
    self.former = former
    self.shape = shape
    self.isRequired = isRequired
    self.standard = standard
    self.meaning = meaning
    self.isUsed = isUsed
  }

  /// A key that has to be there.
  static func required(_ name: String, _ shape: Shape, _ meaning: String) -> Key {
    Key(name, shape, meaning, isRequired: true)
  }

  var names: [String] { [name] + former }
}
