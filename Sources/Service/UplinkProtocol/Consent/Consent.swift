public import LunaJSON

/// That somebody has agreed to ``ConsentText``.
public struct Consent: Hashable, Sendable {
  /// How it was given.
  public enum Origin: String, CaseIterable, Sendable {
    /// A person was asked.
    case user
    /// An option said so.
    case flag
  }

  /// The largest file that is read, bytes.
  public static let maximumCount = 4096

  /// The version of the text.
  public let version: Int
  /// The SHA-256 of the text.
  public let hash: String
  /// When, as in RFC 3339.
  public let time: String
  /// How.
  public let origin: Origin

  /// A consent to the text as it is now.
  ///
  /// - Parameters:
  ///   - hash: that of the text.
  ///   - time: as in RFC 3339.
  public init(hash: String, time: String, origin: Origin) {
    version = ConsentText.version
    self.hash = hash
    self.time = time
    self.origin = origin
  }

  /// Reads a stored consent; nil when it is none: then it has to be asked for.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Consent.maximumCount,
      let json = try? JSONReader.read(bytes, rules: .strict(elements: 0)),
      let members = try? JSONMembers(json, name: "the consent"),
      let version = try? members.integer("version", in: 1...Int64(Int32.max)),
      let hash = try? members.word("sha256", limit: 64),
      let time = try? members.string("time"),
      let origin = (try? members.string("by")).flatMap({ Origin(rawValue: $0) })
    else { return nil }
    self.version = Int(version)
    self.hash = hash
    self.time = time
    self.origin = origin
  }

  /// Whether it is one to the text of this hash, and not to another one.
  public func covers(_ hash: String) -> Bool {
    version == ConsentText.version && self.hash == hash
  }

  /// The consent as it is stored.
  public var members: JSONObject {
    [
      "version": .integer(Int64(version)), "sha256": .string(hash), "time": .string(time),
      "by": .string(origin.rawValue),
    ]
  }
}
