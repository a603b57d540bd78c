/// What a device looks like to the user (Assigned Numbers, 2.6): a category in the upper 10 bits, a
/// subcategory in the lower 6.
public struct Appearance: RawRepresentable, Hashable, Sendable {
  /// The value of the AD structure 0x19 and of the Appearance characteristic.
  public let rawValue: UInt16

  /// An appearance from its value.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The name of the subcategory, or of the category when the subcategory is 0 or not assigned; nil
  /// when neither is.
  public var name: String? {
    NameTable.appearances.name(for: rawValue)
      ?? NameTable.appearances.name(for: rawValue & 0xFFC0)
  }
}
