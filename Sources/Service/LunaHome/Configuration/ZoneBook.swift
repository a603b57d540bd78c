/// The time zones that a file names.
struct ZoneBook: Sendable {
  private let read: @Sendable (String) -> ZoneRules?
  let usual: ZoneRules

  init(usual: ZoneRules, _ read: @escaping @Sendable (String) -> ZoneRules?) {
    self.usual = usual
    self.read = read
  }

  /// The zone of a name; the usual one without a name, or for one that cannot be read.
  subscript(name: String?) -> ZoneRules { name.flatMap(read) ?? usual }
}
