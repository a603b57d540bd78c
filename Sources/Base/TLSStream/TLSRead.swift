/// What came when a side of TLS was read.
package enum TLSRead: Hashable, Sendable {
  /// So many bytes.
  case bytes(Int)
  /// Nothing more for now.
  case nothing
  /// The other side has taken leave.
  case end
}
