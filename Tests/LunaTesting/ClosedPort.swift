import Glibc

/// A TCP port on loopback that refuses connections: nobody listens at it, and nobody else can as long as this is there.
public final class ClosedPort: Sendable {
  /// Its number.
  public let number: UInt16
  private let holder: Int32

  /// Any that is free.
  public init() {
    guard let (holder, number) = loopbackSocket() else {
      preconditionFailure("no port on loopback")
    }
    (self.holder, self.number) = (holder, number)
  }

  /// For clients of HTTP.
  public var url: String { "http://127.0.0.1:\(number)" }

  deinit { close(holder) }
}
