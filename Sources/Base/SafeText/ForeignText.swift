/// Text that somebody else wrote: the name of an advertiser or a device, what a peer, a server or a
/// library says, a file's name.
///
/// Interpolated or printed it is escaped, so that it cannot steer a terminal, forge a line of a log
/// or turn the direction of what stands beside it. Only ``raw`` gives it as it came.
public struct ForeignText: Hashable, Sendable {
  /// The text as it came: to keep, to compare, and for writers that escape by their own rules.
  public let raw: String

  /// A text as it came.
  public init(_ raw: some StringProtocol) { self.raw = String(raw) }

  /// A text from bytes that should be UTF-8; what is not becomes U+FFFD.
  public init(utf8 bytes: some Collection<UInt8>) { raw = String(decoding: bytes, as: UTF8.self) }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { raw.isEmpty }

  /// The beginning of the text, with an ellipsis where something is left out.
  ///
  /// - Parameter count: the most characters (Unicode scalars) that are kept.
  public func limited(to count: Int) -> ForeignText {
    let scalars = raw.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return self }
    return ForeignText(String(scalars[..<end]) + "…")
  }
}

extension ForeignText: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text on one line, with `\x1b` and `\u202e` for what must not be passed on.
  public var description: String { EscapedText.line(raw) }

  /// The same.
  public var debugDescription: String { description }
}

extension ForeignText: ExpressibleByStringLiteral {
  /// A text that is written down in the program.
  public init(stringLiteral value: String) { raw = value }
}
