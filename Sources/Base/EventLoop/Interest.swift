import CLinux

/// What a descriptor is watched for, and what it is ready for.
public struct Interest: OptionSet, Sendable {
  /// The bits of epoll.
  public let rawValue: UInt32

  /// An interest from the bits of epoll.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Bytes, a packet or a connection can be read.
  public static let readable = Interest(rawValue: EPOLLIN.rawValue)
  /// Bytes can be written.
  public static let writable = Interest(rawValue: EPOLLOUT.rawValue)
  /// The descriptor has an error; reported without being asked for.
  public static let failed = Interest(rawValue: EPOLLERR.rawValue)
  /// The other side is gone; reported without being asked for.
  public static let hungUp = Interest(rawValue: EPOLLHUP.rawValue)
}
