import LunaJSON

/// A value that holds for a home, and who said so.
public struct HomeSetting: Sendable {
  /// The value, as a JSON pointer.
  public let path: String
  /// The value as JSON.
  public let value: String
  /// The line of the file; nil for what holds by itself.
  public let line: Int?
}

extension HomeFile {
  /// Everything that holds: what the file says, in its order, and what holds by itself for keys of
  /// objects that are there.
  public var settings: [HomeSetting] {
    var found: [HomeSetting] = []
    collect(root, HomeKeys.root, [], &found)
    return found
  }

  private func collect(
    _ node: SourceNode, _ shape: Shape, _ path: [String], _ found: inout [HomeSetting]
  ) {
    switch (node.value, shape) {
    case (.object(let members), .object(let declared)):
      collect(members, declared.keys, path, &found)
    case (.object(let members), .one(let keys)) where !members.isEmpty:
      for member in members {
        let key = keys.first { $0.name == member.name }
        collect(member.value, key?.shape ?? .any, path + [member.name], &found)
      }
    case (.object, .named(let name)):
      collect(node, HomeKeys.named[name] ?? .any, path, &found)
    case (.object(let members), .map(let value)) where !members.isEmpty:
      for member in members { collect(member.value, value, path + [member.name], &found) }
    case (.array(let elements), .list(let element, _)) where !elements.isEmpty:
      for (index, value) in elements.enumerated() {
        collect(value, element, path + [String(index)], &found)
      }
    case (_, .secret) where node.members.isEmpty:
      // A secret that stands in the file all the same is not shown.
      append(path, "\"***\"", node.range.lowerBound, &found)
    default: append(path, node.json.description, node.range.lowerBound, &found)
    }
  }

  private func collect(
    _ members: [SourceNode.Member], _ keys: [Key], _ path: [String], _ found: inout [HomeSetting]
  ) {
    for member in members {
      let key = keys.first { $0.names.contains(member.name) }
      // What the key is called today.
      let name = key?.name ?? member.name
      collect(member.value, key?.shape ?? .any, path + [name], &found)
    }
    for key in keys where !members.contains(where: { key.names.contains($0.name) }) {
      if let standard = key.standard {
        found.append(
          HomeSetting(
            path: JSONPointer.text(path + [key.name]), value: standard.description, line: nil))
      }
    }
  }

  private func append(
    _ path: [String], _ value: String, _ offset: Int, _ found: inout [HomeSetting]
  ) {
    found.append(
      HomeSetting(path: JSONPointer.text(path), value: value, line: text.line(of: offset)))
  }
}
