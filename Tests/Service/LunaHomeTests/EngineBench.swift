import Foundation
import LunaJSON

@testable import LunaHome

/// An engine with a time of its own.
struct EngineBench {
  var engine: HomeEngine
  /// µs since 1970; boot time begins at a thousand seconds.
  var wall: Int64
  var boot: Int64 = 1_000_000_000
  var wakeAt: Int64?
  /// All effects as lines of JSON.
  var lines: [String] = []
  private var report = 0

  /// - Parameter start: the seconds since 1970 at which it begins.
  init(_ text: String, start: Int64 = 1_780_000_000) {
    let file = HomeFile(text)
    precondition(file.isUsable, "\(file.problems.map { $0.description(file: "x") })")
    engine = HomeEngine(
      HomeConfiguration(file, systemZone: SystemZones.read("UTC") ?? .utc) { SystemZones.read($0) })
    wall = start * 1_000_000
  }

  var now: Moment { Moment(wall: wall, boot: boot) }

  /// Takes an input now.
  @discardableResult mutating func take(_ input: HomeInput) -> [HomeEffect] {
    let (effects, wakeAt) = engine.step(input, at: now)
    self.wakeAt = wakeAt
    lines += effects.map(\.json.description)
    return effects
  }

  /// Lets time go by; the engine is woken when it asks for it.
  @discardableResult mutating func wait(_ seconds: Double) -> [HomeEffect] {
    let end = boot + Int64(seconds * 1_000_000)
    var effects: [HomeEffect] = []
    while let wake = wakeAt, wake <= end {
      let step = max(0, wake - boot)
      (wall, boot) = (wall + step, boot + step)
      let before = wake
      effects += take(.clock)
      if let next = wakeAt, next <= before { wakeAt = before + 1000 }
    }
    let rest = max(0, end - boot)
    (wall, boot) = (wall + rest, boot + rest)
    return effects
  }

  /// A fix of a new report, so many metres north and east of 52.5, 13.4.
  @discardableResult mutating func fix(
    _ tracker: String, north: Double, east: Double = 0, accuracy: Double? = 20
  ) -> [HomeEffect] {
    report += 1
    let fix = Fix(
      latitude: 52.5 + north / 111_267, longitude: 13.4 + east / 67_900, accuracy: accuracy,
      time: wall, report: "\(report)")
    return take(.fix(tracker: tracker, fix))
  }

  mutating func frame(_ tracker: String, _ rssi: Int = -60) -> [HomeEffect] {
    take(.frame(tracker: tracker, rssi: rssi, adapter: "hci0"))
  }
}

/// The time zones of this machine.
enum SystemZones {
  static func read(_ name: String) -> ZoneRules? {
    guard let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)") else {
      return nil
    }
    return ZoneRules(name: name, [UInt8](data))
  }
}

extension [HomeEffect] {
  /// The rules that ran.
  var fired: [String] { compactMap { if case .firing(let one) = $0 { one.rule } else { nil } } }

  /// The rules that did not, with why: `r cooldown`.
  var held: [String] {
    compactMap { if case .held(let one) = $0 { "\(one.rule) \(one.why.rawValue)" } else { nil } }
  }

  /// The causes of what ran: `enter home`.
  var causes: [String] {
    compactMap {
      if case .firing(let one) = $0 { "\(one.cause.trigger) \(one.cause.detail)" } else { nil }
    }
  }
}
