public import LunaProtocol

/// What came of delivering a control package.
public enum CommandAnswer: Hashable, Sendable {
  /// What the tracker answered; who delivers cannot verify it.
  case answered([UInt8])
  /// No connection, and why.
  case notReached(String)
  /// A connection and no answer, and why. The tracker may have done it.
  case failed(String)

  /// What to tell the backend.
  public func confirmation(
    of requestId: String, _ package: ControlPackage
  ) -> CommandConfirmation {
    let heid = package.heid
    switch self {
    case .answered(let bytes):
      guard bytes.count == Receipt.byteCount || bytes.count == Receipt.shortByteCount else {
        return CommandConfirmation(
          requestId: requestId, heid: heid, outcome: .failed,
          detail: "the tracker answered \(bytes.count) bytes")
      }
      let isDone =
        bytes.count == Receipt.byteCount && bytes[0] == ControlStatus.done.rawValue
      let status = ControlStatus(rawValue: bytes[0]).map { "\($0)" } ?? "status \(bytes[0])"
      return CommandConfirmation(
        requestId: requestId, heid: heid, outcome: isDone ? .done : .failed, receipt: bytes,
        detail: isDone ? nil : "the tracker answered: \(status)")
    case .notReached(let reason):
      return CommandConfirmation(
        requestId: requestId, heid: heid, outcome: .notReached, detail: reason)
    case .failed(let reason):
      return CommandConfirmation(
        requestId: requestId, heid: heid, outcome: .failed, detail: reason)
    }
  }
}
