public import LunaJSON

/// A part of a list of gateways, by site or tag.
public struct FleetSection: Hashable, Sendable {
  /// What gateways are parted by.
  public enum Key: String, Sendable, CaseIterable {
    case site, tag
  }

  /// The site or tag; nil for gateways without one.
  public let name: String?
  /// How many gateways are in it.
  public let count: Int

  /// The sections of some gateways, in ``FleetOrder``; those without one at the end. A gateway with two tags is
  /// in two sections.
  public static func sections(of gateways: some Sequence<Gateway>, by key: Key) -> [FleetSection] {
    var counts: [String: Int] = [:]
    var rest = 0
    for gateway in gateways {
      let names = key == .site ? [gateway.text("site")].compactMap(\.self) : gateway.tags
      for name in names { counts[name, default: 0] += 1 }
      if names.isEmpty { rest += 1 }
    }
    let sections = counts.map {
      (key: FleetOrder.folded($0.key), section: FleetSection(name: $0.key, count: $0.value))
    }
    .sorted { ($0.key, $0.section.name ?? "") < ($1.key, $1.section.name ?? "") }
    .map(\.section)
    return sections + (rest > 0 ? [FleetSection(name: nil, count: rest)] : [])
  }

  /// The section as JSON.
  public var json: JSONValue {
    ["name": name.map { .string($0) } ?? .null, "count": .integer(Int64(count))]
  }
}
