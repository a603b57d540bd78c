import EventLoop
import FileOutput

/// The link over which this machine reaches the network.
package enum UplinkLink {
  /// The tables of routes. /proc/net is hidden from services that see processes alone (`ProcSubset=pid`), as that of
  /// the weekly check does: it would take a mobile link for any other.
  static let tables = (four: "/proc/self/net/route", six: "/proc/self/net/ipv6_route")

  /// Its kind, by the name of the interface; nil where there is no default route.
  package static func kind() async -> String? {
    let four = await Blocking.run { text(of: tables.four) }
    let six = await Blocking.run { text(of: tables.six) }
    return (interface(in: four) ?? interface(inIPv6: six)).map { kind(of: $0) }
  }

  private static func text(of path: String) -> String {
    (try? FileInput.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The interface of the default route that is preferred.
  static func interface(in table: String) -> String? {
    var best: (name: Substring, metric: Int)?
    for line in table.split(separator: "\n").dropFirst() {
      let fields = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
      guard fields.count > 7, fields[1] == "00000000", fields[7] == "00000000",
        let metric = Int(fields[6]), metric < best?.metric ?? .max
      else { continue }
      best = (fields[0], metric)
    }
    return best.map { String($0.name) }
  }

  /// The same of a machine that has IPv6 alone.
  static func interface(inIPv6 table: String) -> String? {
    var best: (name: Substring, metric: UInt32)?
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      // What goes nowhere is refused by loopback.
      guard fields.count > 9, fields[1] == "00", fields[0].allSatisfy({ $0 == "0" }),
        fields[9] != "lo", let metric = UInt32(fields[5], radix: 16),
        metric < best?.metric ?? .max
      else { continue }
      best = (fields[9], metric)
    }
    return best.map { String($0.name) }
  }

  /// The kind of an interface, as a word.
  static func kind(of interface: String) -> String {
    let kinds = [
      ("wwan", "mobile"), ("ppp", "mobile"), ("wl", "wifi"), ("en", "ethernet"),
      ("eth", "ethernet"),
    ]
    return kinds.first { interface.hasPrefix($0.0) }?.1 ?? "other"
  }
}
