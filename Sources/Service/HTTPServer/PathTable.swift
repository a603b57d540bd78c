/// What is at which path, by method. Literal parts of a path come before parameters.
public struct PathTable<Value: Sendable>: Sendable {
  /// What is found for a request.
  public enum Finding: Sendable {
    /// This, with the parameters of its path.
    case found(Value, [String: String])
    /// The path is there, for these methods.
    case otherMethods([String])
    /// Nothing has this path.
    case nothing
  }

  private struct Entry: Sendable {
    let method: String
    let pattern: PathPattern
    let value: Value
  }

  private var entries: [Entry] = []

  /// A table in which nothing is found.
  public init() {}

  /// Adds what is found at a path.
  ///
  /// - Parameters:
  ///   - method: in capital letters; GET is found for HEAD, too.
  ///   - path: such as `/v1/things/{id}`, with parameters in braces.
  public mutating func add(_ method: String, _ path: String, _ value: Value) {
    let entry = Entry(method: method, pattern: PathPattern(path), value: value)
    let place = entries.firstIndex { entry.pattern.precedes($0.pattern) } ?? entries.endIndex
    entries.insert(entry, at: place)
  }

  /// Looks for what a request asks for. HEAD finds what GET does.
  ///
  /// - Parameter path: without the query.
  public func find(_ method: String, _ path: some StringProtocol) -> Finding {
    let wanted = method == "HEAD" ? "GET" : method
    var methods: [String] = []
    var first: PathPattern?
    for entry in entries {
      guard let parameters = entry.pattern.match(path) else { continue }
      // A path belongs to the most literal pattern, whatever methods that has.
      if let first, first.precedes(entry.pattern) { break }
      first = first ?? entry.pattern
      if entry.method == wanted { return .found(entry.value, parameters) }
      methods += entry.method == "GET" ? ["GET", "HEAD"] : [entry.method]
    }
    return methods.isEmpty ? .nothing : .otherMethods(methods)
  }
}
