import JSONWebToken

/// What a person gives to others, so that they can share trackers: a public key and a name
/// (SHARING.md, 2).
public struct ContactCard: Hashable, Sendable {
  /// What the text begins with.
  public static let prefix = "LUNACARD:1:"
  /// The most bytes of a name.
  public static let nameLimit = 64

  /// What shares for this person are sealed with.
  public let key: ContactKey
  /// What the person calls itself; others wrote it.
  public let name: String

  /// A card.
  ///
  /// - Returns: nil when the name has not 1 to 64 bytes of UTF-8.
  public init?(key: ContactKey, name: String) {
    guard 1...ContactCard.nameLimit ~= name.utf8.count else { return nil }
    self.key = key
    self.name = name
  }

  /// Reads the bytes of a card.
  ///
  /// - Throws: the first thing that is wrong.
  public init(bytes: [UInt8]) throws(CardRejection) {
    guard bytes.count >= 35, bytes.count <= 34 + ContactCard.nameLimit else { throw .length }
    guard bytes[0] == 1 else { throw .version }
    guard let key = ContactKey(bytes[1..<33]) else { throw .length }
    guard Int(bytes[33]) == bytes.count - 34 else { throw .length }
    guard let name = String(validating: bytes[34...], as: UTF8.self) else { throw .name }
    self.key = key
    self.name = name
  }

  /// Reads the text of a card, with blanks around it.
  ///
  /// - Throws: the first thing that is wrong.
  public init(text: some StringProtocol) throws(CardRejection) {
    var characters = ArraySlice(text.utf8)
    while let last = characters.last, last <= 0x20 { characters.removeLast() }
    while let first = characters.first, first <= 0x20 { characters.removeFirst() }
    guard characters.starts(with: ContactCard.prefix.utf8) else { throw .prefix }
    // Far more than a card has.
    guard characters.count < 1024 else { throw .length }
    guard let bytes = Base64URL.decode(characters.dropFirst(ContactCard.prefix.utf8.count)) else {
      throw .text
    }
    try self.init(bytes: bytes)
  }

  /// The bytes: 01 | key | n | name.
  public var bytes: [UInt8] { [1] + key.bytes + [UInt8(name.utf8.count)] + Array(name.utf8) }

  /// The bytes as text, which is also what a QR code of it holds.
  public var text: String {
    ContactCard.prefix + String(decoding: Base64URL.encode(bytes), as: UTF8.self)
  }
}
