/// A connection of a recording, as it is called there: the client, `-`, the server.
public struct ConnectionPair: Hashable, Sendable {
  /// What one looks like, for messages.
  static let form = "AAA.BBB.CCC.DDD.PPPPP-AAA.BBB.CCC.DDD.PPPPP"

  /// Who opened it.
  public let client: RecordedEndpoint
  /// Who was asked.
  public let server: RecordedEndpoint

  /// A connection.
  public init(client: RecordedEndpoint, server: RecordedEndpoint) {
    self.client = client
    self.server = server
  }

  /// Reads a connection; nil when it is not of this form.
  public init?(_ text: String) {
    // Whoever cuts a text into parts first holds as many of them as somebody wants.
    guard text.utf8.count <= 2 * RecordedEndpoint.most + 1 else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let client = RecordedEndpoint(parts[0]),
      let server = RecordedEndpoint(parts[1])
    else { return nil }
    self.init(client: client, server: server)
  }
}

extension ConnectionPair: CustomStringConvertible {
  /// The connection as recordings write it.
  public var description: String { "\(client)-\(server)" }
}
