/// The way to a server: who answered at each hop.
package struct NetworkPath: Hashable, Sendable {
  /// Whoever answered at each hop before the server; empty where nobody did. Some networks have several ways.
  package let hops: [Set<String>]
  /// The address of the server.
  package let server: String

  /// A way.
  package init(_ hops: [Set<String>], to server: String) {
    self.hops = hops
    self.server = server
  }

  /// Whether over half of the hops do not say who they are.
  var isUnknown: Bool { 2 * hops.count(where: \.isEmpty) > hops.count }
}
