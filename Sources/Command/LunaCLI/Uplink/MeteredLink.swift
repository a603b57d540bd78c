import SystemBus

/// Whether NetworkManager, where there is one, takes the present link for one on which data is counted.
enum MeteredLink {
  private static let name = "org.freedesktop.NetworkManager"

  /// Asks it; nobody is started for that.
  static func isCounted() async -> Bool {
    let bus = BusConnection()
    guard (try? await bus.open()) != nil else { return false }
    var value: BusValue?
    if let owner = try? await bus.owner(of: name) {
      value = try? await bus.property(
        "Metered", of: name, at: "/org/freedesktop/NetworkManager", on: owner)
    }
    await bus.close()
    return isCounted(value)
  }

  /// What it answers: 1 is yes, 3 that it guesses so.
  static func isCounted(_ value: BusValue?) -> Bool { [.uint32(1), .uint32(3)].contains(value) }
}
