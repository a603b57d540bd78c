import EventLoop
import FileOutput

/// The link over which this machine reaches the network.
package enum UplinkLink {
  /// Its kind, by the name of the interface; nil where there is no default route.
  package static func kind() async -> String? {
    let path = "/proc/net/route"
    let table = await Blocking.run { try? FileInput.read(path) }
    return table.flatMap { interface(in: String(decoding: $0, as: UTF8.self)) }.map { kind(of: $0) }
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

  /// The kind of an interface, as a word.
  static func kind(of interface: String) -> String {
    let kinds = [
      ("wwan", "mobile"), ("ppp", "mobile"), ("wl", "wifi"), ("en", "ethernet"),
      ("eth", "ethernet"),
    ]
    return kinds.first { interface.hasPrefix($0.0) }?.1 ?? "other"
  }
}
