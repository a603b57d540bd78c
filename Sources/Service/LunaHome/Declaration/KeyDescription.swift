import LunaJSON

/// A key of a home's file, for people.
public struct KeyDescription: Sendable {
  /// The way to it: `places[].radius`; a `*` stands for a name of one's own.
  public let path: String
  /// What its value is.
  public let type: String
  /// Whether it has to be there.
  public let isRequired: Bool
  /// What holds where it is left out, as JSON.
  public let standard: String?
  /// What it means.
  public let meaning: String

  /// All keys, in the order of the declaration.
  public static var all: [KeyDescription] {
    var found: [KeyDescription] = []
    collect(HomeKeys.root, "", &found)
    for (name, shape) in HomeKeys.named.sorted(by: { $0.key < $1.key }) {
      collect(shape, "(\(name))", &found)
    }
    return found
  }

  private static func collect(_ shape: Shape, _ path: String, _ found: inout [KeyDescription]) {
    switch shape {
    case .object(let members): collect(members.keys, path, &found)
    case .one(let keys): collect(keys, path, &found)
    case .list(let element, _): collect(element, path + "[]", &found)
    case .map(let value): collect(value, path.isEmpty ? "*" : path + ".*", &found)
    case .either(let shapes): for shape in shapes { collect(shape, path, &found) }
    default: break
    }
  }

  private static func collect(_ keys: [Key], _ path: String, _ found: inout [KeyDescription]) {
    for key in keys {
      let place = path.isEmpty ? key.name : "\(path).\(key.name)"
      found.append(
        KeyDescription(
          path: place, type: key.shape.description, isRequired: key.isRequired,
          standard: key.standard?.description, meaning: key.meaning))
      collect(key.shape, place, &found)
    }
  }
}
