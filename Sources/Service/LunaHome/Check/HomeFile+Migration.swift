// What older files write otherwise: the version as a text, and former names of keys.

extension HomeFile {
  var olderParts: [Edit] {
    var edits: [Edit] = []
    if let version = root["version"], version.text != nil {
      edits.append(Edit(range: version.range, text: String(HomeKeys.version)))
    }
    collect(root, HomeKeys.root, &edits)
    return edits
  }

  private func collect(_ node: SourceNode, _ shape: Shape, _ edits: inout [Edit]) {
    switch shape {
    case .list(let element, _): for value in node.elements { collect(value, element, &edits) }
    case .map(let value): for member in node.members { collect(member.value, value, &edits) }
    case .object(let members): collect(node, members.keys, &edits)
    case .one(let keys): collect(node, keys, &edits)
    case .named(let name): if let shape = HomeKeys.named[name] { collect(node, shape, &edits) }
    default: break
    }
  }

  private func collect(_ node: SourceNode, _ keys: [Key], _ edits: inout [Edit]) {
    for member in node.members {
      guard let key = keys.first(where: { $0.names.contains(member.name) }) else { continue }
      if key.former.contains(member.name), node.members.allSatisfy({ $0.name != key.name }) {
        let quoted = bytes[member.offset] == UInt8(ascii: "\"")
        // A name without quotation marks is a mistake that is told; it is not mended here.
        if quoted {
          let end = member.offset + member.name.utf8.count + 2
          edits.append(Edit(range: member.offset..<end, text: "\"\(key.name)\""))
        }
      }
      collect(member.value, key.shape, &edits)
    }
  }
}
