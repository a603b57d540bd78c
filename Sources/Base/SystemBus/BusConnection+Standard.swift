import SafeText

extension BusConnection {
  private static let bus = "org.freedesktop.DBus"

  /// Asks the bus for the signals that fit `rule` (D-Bus Specification, "Match Rules").
  public func addMatch(_ rule: String) async throws(BusError) {
    try await call(
      BusConnection.bus, "/org/freedesktop/DBus", BusConnection.bus, "AddMatch", [.string(rule)])
  }

  /// The unique name that owns a well-known name; nil when nobody does.
  public func owner(of name: String) async throws(BusError) -> String? {
    do throws(BusError) {
      return try await call(
        BusConnection.bus, "/org/freedesktop/DBus", BusConnection.bus, "GetNameOwner",
        [.string(name)]
      ).first?.text
    } catch {
      if error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" { return nil }
      throw error
    }
  }

  /// The value of a property, out of its variant.
  public func property(
    _ name: String, of interface: String, at path: String, on destination: String
  ) async throws(BusError) -> BusValue? {
    try await call(
      destination, path, "org.freedesktop.DBus.Properties", "Get",
      [.string(interface), .string(name)]
    ).first?.content
  }

  /// All properties of an interface: a dictionary of variants.
  public func properties(
    of interface: String, at path: String, on destination: String
  ) async throws(BusError) -> BusValue {
    try await call(
      destination, path, "org.freedesktop.DBus.Properties", "GetAll", [.string(interface)]
    ).first ?? .dictionary([])
  }

  /// Sets a property, sent as a variant (D-Bus Specification, "Standard Interfaces").
  ///
  /// - Throws: ``BusError`` with what the owner answers, such as that it is read-only.
  public func setProperty(
    _ name: String, of interface: String, at path: String, on destination: String,
    to value: BusValue
  ) async throws(BusError) {
    try await call(
      destination, path, "org.freedesktop.DBus.Properties", "Set",
      [.string(interface), .string(name), .variant(value)])
  }

  /// The names of the objects directly below `path`, read from its introspection data: the way to
  /// find a few objects among very many.
  public func children(
    of path: String, on destination: String
  ) async throws(BusError) -> [String] {
    let text = try await call(
      destination, path, "org.freedesktop.DBus.Introspectable", "Introspect"
    ).first?.text
    // <node name="hci0"/>, in either kind of quotes; the outermost node has no name.
    return (text ?? "").split(separatedBy: "<node name=").dropFirst().compactMap { part in
      guard let quote = part.first, quote == "\"" || quote == "'" else { return nil }
      return part.dropFirst().split(separator: quote, omittingEmptySubsequences: false).first
        .map { String($0) }
    }
  }
}
