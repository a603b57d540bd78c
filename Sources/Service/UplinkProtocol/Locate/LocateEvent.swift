/// What happens where a server is located.
package enum LocateEvent: Hashable, Sendable {
  /// It begins.
  case begin
  /// The service answered.
  case answered(status: Int, [UInt8])
  /// It did not, for a reason.
  case unanswered(String)
  /// The access is open.
  case opened
  /// It was not opened in time, or refused.
  case notOpened
}
