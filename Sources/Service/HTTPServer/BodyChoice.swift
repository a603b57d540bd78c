/// What is to become of a request whose head has come.
package enum BodyChoice: Sendable {
  /// Its body is kept until it is complete, for the handler.
  case kept
  /// Its body is given to somebody as it comes.
  case received(BodyReceiver)
  /// The connection is closed without an answer.
  case unheard

  var receiver: BodyReceiver? {
    guard case .received(let receiver) = self else { return nil }
    return receiver
  }
}
