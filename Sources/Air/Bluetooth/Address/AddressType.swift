/// The address type of an advertising report, as HCI codes it. Values that the specification does
/// not define are kept as they came.
public struct AddressType: RawRepresentable, Hashable, Sendable {
  /// The HCI code; that of ``anonymous`` for ``absent``, which has none.
  public let rawValue: UInt8
  @usableFromInline let isAbsent: Bool

  /// An address type from its HCI code.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
    isAbsent = false
  }

  private init(absent rawValue: UInt8) {
    self.rawValue = rawValue
    isAbsent = true
  }

  /// A public device address (0x00).
  public static let `public` = AddressType(rawValue: 0x00)
  /// A random device address (0x01).
  public static let random = AddressType(rawValue: 0x01)
  /// A resolvable private address that the controller resolved to a public identity (0x02).
  public static let publicIdentity = AddressType(rawValue: 0x02)
  /// A resolvable private address that the controller resolved to a static identity (0x03).
  public static let randomIdentity = AddressType(rawValue: 0x03)
  /// No address was sent, or the source could not tell (0xFF).
  public static let anonymous = AddressType(rawValue: 0xFF)
  /// Not an HCI code: the PDU on the air carried no address, and the advertiser need not be
  /// anonymous (an auxiliary PDU leaves out what the PDU pointing to it said).
  public static let absent = AddressType(absent: 0xFF)

  /// Those that have a name.
  public static let named: [AddressType] = [
    .public, .random, .publicIdentity, .randomIdentity, .anonymous,
  ]

  /// The field's name for it; nil when the code is not defined.
  public var name: StaticString? {
    switch self {
    case .public: "public"
    case .random: "random"
    case .publicIdentity: "public-identity"
    case .randomIdentity: "random-identity"
    case .anonymous: "anonymous"
    default: nil
    }
  }

  /// Whether an address accompanies this type.
  public var hasAddress: Bool { rawValue != 0xFF }

  // Said here, since raw values alone would be compared otherwise.

  /// Whether both are the same; no address at all is not the same as an anonymous advertiser.
  @inlinable
  public static func == (left: AddressType, right: AddressType) -> Bool {
    left.rawValue == right.rawValue && left.isAbsent == right.isAbsent
  }

  /// Hashes what ``==(_:_:)`` compares.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
    hasher.combine(isAbsent)
  }
}
