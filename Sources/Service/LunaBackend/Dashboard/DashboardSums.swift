import Bluetooth
import LunaCore
import LunaJSON

/// Numbers of all gateways together, by times of equal length.
struct DashboardSums: Sendable {
  /// What one gateway told within one of the times.
  private struct Part {
    var packets: (sum: Double, count: Double) = (0, 0)
    var sightings: (sum: Double, count: Double) = (0, 0)
    var queue: Double?
    var outage: Double?
    var recoveries: Double?
  }

  private let first: Int64
  private var packets: [Double?]
  private var sightings: [Double?]
  private var queue: [Double?]
  private var outage: [Double?]
  private var recoveries: [Double?]
  // Of the gateway whose samples are being added.
  private var gateway: String?
  private var parts: [Int: Part] = [:]
  private var counter: Double?

  /// - Parameter first: the number of the first time.
  init(first: Int64, count: Int64) {
    self.first = first
    let none = [Double?](repeating: nil, count: Int(count))
    (packets, sightings, queue, outage, recoveries) = (none, none, none, none, none)
  }

  /// Adds a sample. Those of one gateway follow each other, the oldest first.
  ///
  /// - Parameter bucket: the number of the time that it is of.
  mutating func add(_ sample: StoredSample, of gateway: String, bucket: Int64) {
    if gateway != self.gateway {
      endGateway()
      self.gateway = gateway
    }
    let counted = sample[.recoveries]
    defer { counter = counted ?? counter }
    let index = Int(bucket - first)
    guard packets.indices.contains(index) else { return }
    var part = parts[index] ?? Part()
    if let value = sample[.packetsPerSecond] {
      part.packets = (part.packets.sum + value, part.packets.count + 1)
    }
    if let value = sample[.sightingsPerMinute] {
      part.sightings = (part.sightings.sum + value, part.sightings.count + 1)
    }
    if let value = sample[.queueDepth] { part.queue = max(part.queue ?? value, value) }
    if let value = sample[.outageHoursLeft] { part.outage = min(part.outage ?? value, value) }
    if let counted {
      // A program that was started anew counts from nothing.
      let new = counter.map { counted >= $0 ? counted - $0 : counted } ?? 0
      part.recoveries = (part.recoveries ?? 0) + new
    }
    parts[index] = part
  }

  /// There is nothing more of the gateway.
  mutating func endGateway() {
    for (index, part) in parts {
      if part.packets.count > 0 {
        packets[index] = (packets[index] ?? 0) + part.packets.sum / part.packets.count
      }
      if part.sightings.count > 0 {
        sightings[index] = (sightings[index] ?? 0) + part.sightings.sum / part.sightings.count
      }
      if let value = part.queue { queue[index] = (queue[index] ?? 0) + value }
      if let value = part.outage { outage[index] = min(outage[index] ?? value, value) }
      if let value = part.recoveries { recoveries[index] = (recoveries[index] ?? 0) + value }
    }
    (gateway, parts, counter) = (nil, [:], nil)
  }

  /// What a widget shows; null for another one.
  func widget(_ name: String, _ range: DashboardRange, at time: Timestamp) -> JSONValue {
    let lines: [(String, [Double?])]
    switch name {
    case "packets": lines = [("Packets per second", packets)]
    case "sightings": lines = [("Sightings per hour", sightings.map { $0.map { $0 * 60 } })]
    case "queueAndOutage": lines = [("Events waiting", queue), ("Least hours left", outage)]
    case "recoveries": lines = [("Recoveries", recoveries)]
    default: return .null
    }
    return DashboardSums.series(lines, first: first, width: range.width)
  }

  /// Lines over the same times; a value that is not known is left out.
  static func series(
    _ lines: [(name: String, values: [Double?])], first: Int64, width: Int64
  ) -> JSONValue {
    [
      "series": .array(
        lines.map { line in
          let points = line.values.enumerated().map { index, value -> JSONValue in
            let time = Timestamp(microseconds: (first + Int64(index)) * width)
            var point: JSONObject = ["time": .string(time.rfc3339)]
            if let value { point.append("value", .real((value * 10).rounded() / 10)) }
            return .object(point)
          }
          return ["name": .string(line.name), "points": .array(points)]
        })
    ]
  }
}
