import UplinkProtocol

/// A connection that is no part of a recording: over TCP, or over TLS on it.
protocol ChannelSocket: FlowSocket {
  /// Whether there may be more to receive than the socket shows.
  var mayHoldMore: Bool { get }
  /// Why it could not be opened; nil where nothing is known of that.
  var failure: ReplayError? { get }
  /// The least round trip so far, s; nil where none is known.
  var leastRoundTrip: Double? { get }
}

extension StreamSocket: ChannelSocket {
  var mayHoldMore: Bool { false }
}
