/// What came when a flow was read.
enum FlowArrival {
  /// So many bytes.
  case bytes(Int)
  /// Nothing more for now.
  case nothing
  /// The server has closed the connection.
  case end
  /// It broke off.
  case failure
}
