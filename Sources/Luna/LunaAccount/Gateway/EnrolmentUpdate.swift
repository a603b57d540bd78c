public import LunaCore

/// What becomes of a gateway that offers itself.
public enum EnrolmentUpdate: Equatable, Sendable {
  /// It offers itself now; its label has this print.
  case offering(GatewayPrint)
  /// It was not taken for another reason than that nobody has scanned its label. It goes on, and tells of what is new.
  case refused(BackendError)
  /// Somebody has scanned its label. Its token is in this file.
  case enrolled(tokenFile: String)
  /// It can make no offer. That is all: whoever waits for the token gets none.
  case failed(BackendError)
}
