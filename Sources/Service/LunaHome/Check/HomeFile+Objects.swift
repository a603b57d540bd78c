package import LunaJSON

extension HomeFile {
  /// Something of a list in the file, and where it stands.
  package struct Object: Sendable {
    /// What it is.
    package let value: JSONValue
    /// The line that it begins on.
    package let line: Int
  }

  /// A part of the file, as JSON; nil where the file does not have it.
  package subscript(name: String) -> JSONValue? { root[name]?.json }

  /// What is in a list of the file.
  package func objects(_ list: String) -> [Object] {
    (root[list]?.elements ?? []).map {
      Object(value: $0.json, line: text.line(of: $0.range.lowerBound))
    }
  }

  /// The file with more in some of its lists. Lines are those of nobody then.
  package func adding(
    _ lists: [(name: String, values: [JSONValue])], in surroundings: HomeSurroundings
  ) -> HomeFile {
    guard case .object(var object) = root.json else { return self }
    for (name, values) in lists where !values.isEmpty {
      var all = objects(name).map(\.value)
      object.members.removeAll { $0.name == name }
      all += values
      object.append(name, .array(all))
    }
    return HomeFile(JSONValue.object(object).bytes, in: surroundings)
  }
}
