import SafeText

/// Names a value in a document (RFC 6901).
enum JSONPointer {
  static func text(_ path: [String]) -> String {
    path.map {
      "/" + $0.replacing(text: "~", with: "~0").replacing(text: "/", with: "~1")
    }.joined()
  }
}
