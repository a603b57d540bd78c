/// A command of an owner, authenticated (PROTOCOL.md, 12.1).
public struct ControlPackage: Sendable {
  /// The number of bytes.
  public static let byteCount = 44

  /// The bytes as they are written to the tracker.
  public let bytes: InlineArray<44, UInt8>

  /// A package from its bytes, which nobody has checked yet.
  ///
  /// - Returns: nil when there are not 44.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == ControlPackage.byteCount else { return nil }
    self.bytes = InlineArray { bytes[$0] }
  }

  /// A package from base64, 60 characters.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Base64.decode(text) else { return nil }
    self.init(bytes.span)
  }

  /// A package whose authentication code is yet to be set.
  init(
    format: ControlFormat, command: UInt8, argument: UInt16, reference: UInt32,
    identifier: InlineArray<16, UInt8>, counter: UInt32
  ) {
    var bytes = InlineArray<44, UInt8>(repeating: 0)
    bytes[0] = format.rawValue
    bytes[1] = command
    var span = bytes.mutableSpan
    span.setBigEndian(UInt64(argument), at: 2, count: 2)
    span.setBigEndian(UInt64(reference), at: 4, count: 4)
    span.set(identifier.span, at: 8)
    span.setBigEndian(UInt64(counter), at: 24, count: 4)
    self.bytes = bytes
  }

  /// A deferred package whose authentication code is known from elsewhere.
  ///
  /// - Parameter code: 16 bytes.
  package init(
    deferred command: ControlCommand, argument: UInt16, period: UInt32, heid: HEID,
    counter: UInt32, code: Span<UInt8>
  ) {
    let package = ControlPackage(
      format: .deferred, command: command.rawValue, argument: argument, reference: period,
      identifier: heid.bytes, counter: counter)
    self.init(all: InlineArray { $0 < 28 ? package.bytes[$0] : code[$0 - 28] })
  }

  /// The same with an authentication code: the first 16 bytes of `code`.
  func authenticated(by code: InlineArray<32, UInt8>) -> ControlPackage {
    ControlPackage(all: InlineArray { $0 < 28 ? bytes[$0] : code[$0 - 28] })
  }

  private init(all bytes: InlineArray<44, UInt8>) { self.bytes = bytes }

  /// How it is authenticated; nil when the format is not known.
  public var format: ControlFormat? { ControlFormat(rawValue: bytes[0]) }
  /// The code of the command.
  public var commandCode: UInt8 { bytes[1] }
  /// The command; nil when the code is not known.
  public var command: ControlCommand? { ControlCommand(rawValue: bytes[1]) }
  /// The argument of the command.
  public var argument: UInt16 { UInt16(truncatingIfNeeded: bytes.span.bigEndian(at: 2, count: 2)) }
  /// The period of a deferred package, the clock hint (Unix s) of an interactive one.
  public var reference: UInt32 { UInt32(truncatingIfNeeded: bytes.span.bigEndian(at: 4, count: 4)) }
  /// Which tracker a deferred package is for.
  public var heid: HEID {
    HEID(high: bytes.span.bigEndian(at: 8, count: 8), low: bytes.span.bigEndian(at: 16, count: 8))
  }
  /// The number that lets a tracker execute it once.
  public var counter: UInt32 { UInt32(truncatingIfNeeded: bytes.span.bigEndian(at: 24, count: 4)) }
  /// The bytes in base64, 60 characters.
  public var text: String { Base64.encode(bytes.span) }
}

extension ControlPackage: Hashable {
  /// Equal when the bytes are.
  public static func == (left: ControlPackage, right: ControlPackage) -> Bool {
    for index in left.bytes.indices where left.bytes[index] != right.bytes[index] { return false }
    return true
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    for index in bytes.indices { hasher.combine(bytes[index]) }
  }
}
