package import UplinkProtocol

/// Other servers with which one of ours locates differences (UPLINK.md, 7.1, 9).
package struct WeheNeighbours: Sendable {
  /// Servers whose paths part, of which clients are told; nobody else is asked for measurements.
  package var pairs: [ServerPair] = []
  /// What replays usually differ by, percent; none where nobody knows.
  package var variations: [Double] = []
  /// The port where they are asked.
  package var port: UInt16 = 56_566
  /// The file of the authority (PEM) that vouches for them, whatever their names are; nil where nothing is encrypted.
  package var authorities: String?

  /// None.
  package init() {}

  /// Whether a server is one of them, as clients call it.
  func knows(_ server: String) -> Bool {
    pairs.contains { $0.first == server || $0.second == server }
  }
}
