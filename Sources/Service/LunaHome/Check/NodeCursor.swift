/// A value, and the way to it.
struct NodeCursor {
  let node: SourceNode
  let path: [String]

  var text: String? { node.text }

  subscript(name: String) -> NodeCursor? {
    guard let member = node.members.first(where: { $0.name == name }) else { return nil }
    return NodeCursor(node: member.value, path: path + [name])
  }

  var elements: [NodeCursor] {
    node.elements.enumerated().map { NodeCursor(node: $1, path: path + [String($0)]) }
  }

  var members: [(name: String, value: NodeCursor)] {
    node.members.map { ($0.name, NodeCursor(node: $0.value, path: path + [$0.name])) }
  }

  /// The elements of the list of that name; none where it is not there.
  func list(_ name: String) -> [NodeCursor] { self[name]?.elements ?? [] }
}
