package import Bluetooth
import LunaCore
import LunaProtocol
package import LunaTracker
package import TrackerMachine

/// What trackers in software are, and what they do.
package enum TrackerDocument {
  /// Writes what anyone may know of a tracker.
  package static func write(
    _ name: String, _ record: TrackerRecord, to writer: inout JSONFieldWriter
  ) {
    writer.string("tracker", name)
    writer.string("state", record.state.name)
    guard let ownership = record.ownership else { return }
    writer.string("device", ownership.uuid.description)
    writer.string(
      "onboardingTimestamp",
      Timestamp(microseconds: Int64(ownership.onboardingTimestamp) * 1_000_000).rfc3339)
    if record.isClockUncertain { writer.boolean("clockUncertain", true) }
  }

  /// Appends the first line of a stream of news.
  package static func appendStart(_ summary: AdvertiserSummary, to output: OutputBuffer) {
    StartLine.append(source: summary.name, simulated: summary.simulated, to: output) { writer in
      guard !summary.deviations.isEmpty else { return }
      writer.beginList("deviations")
      for deviation in summary.deviations { writer.element(deviation) }
      writer.endList()
    }
  }

  /// Appends a line of news.
  package static func append(
    _ news: TrackerNews, _ time: inout TimeText, to output: OutputBuffer
  ) {
    var writer = JSONFieldWriter(news.event.name, in: output)
    writer.string("time", time.string(Timestamp(unixMilliseconds: news.time)))
    writer.string("tracker", news.tracker)
    writer.string("trackerTime", time.string(Timestamp(unixMilliseconds: news.clock)))
    switch news.event {
    case .started(let state, let isClockUncertain):
      writer.string("state", state.name)
      writer.boolean("clockUncertain", isClockUncertain)
    case .rotated(let advertisement):
      writer.integer("counter", Int64(advertisement.period))
      writer.address("address", advertisement.address)
      writer.string("eid", advertisement.eid.description)
      writer.string("heid", advertisement.heid.description)
    case .mode(let mode, let region):
      writer.string("mode", mode.rawValue)
      if let region { writer.integer("region", Int64(region)) }
    case .connectable(let isConnectable): writer.boolean("connectable", isConnectable)
    case .connected(let address):
      if let address { writer.address("address", address) }
    case .disconnected: break
    case .sound(let seconds), .light(let seconds):
      writer.boolean("on", seconds != nil)
      if let seconds { writer.integer("seconds", Int64(seconds)) }
    case .state(let state): writer.string("state", state.name)
    }
    writer.endLine()
  }

  /// The same for a program that finds it in its environment; nil when something only ends.
  package static func variables(
    of event: TrackerNews.Event
  ) -> [(name: String, value: String)]? {
    switch event {
    case .sound(let seconds?), .light(let seconds?): [("LUNA_SECONDS", String(seconds))]
    case .sound(nil), .light(nil): nil
    case .state(let state), .started(let state, _): [("LUNA_TRACKER_STATE", state.name)]
    case .connected(let address?): [("LUNA_ADDRESS", address.description)]
    case .connected(nil), .disconnected: []
    case .rotated(let advertisement):
      [
        ("LUNA_ADDRESS", advertisement.address.description),
        ("LUNA_EID", advertisement.eid.description),
      ]
    case .mode(let mode, _): [("LUNA_MODE", mode.rawValue)]
    case .connectable(let isConnectable): [("LUNA_CONNECTABLE", isConnectable ? "1" : "0")]
    }
  }
}

extension TrackerNews.Event {
  /// The type of its line.
  package var name: StaticString {
    switch self {
    case .started: "tracker"
    case .rotated: "rotated"
    case .mode: "mode"
    case .connectable: "connectable"
    case .connected: "connected"
    case .disconnected: "disconnected"
    case .sound: "sound"
    case .light: "light"
    case .state: "state"
    }
  }

  /// What happened, for people.
  package var text: String {
    switch self {
    case .started: "has power"
    case .rotated: "another period"
    case .mode(let mode, _): "mode \(mode.rawValue)"
    case .connectable(let isConnectable): isConnectable ? "connectable" : "not connectable"
    case .connected: "connected"
    case .disconnected: "disconnected"
    case .sound(let seconds): seconds.map { "sound for \($0) s" } ?? "silent"
    case .light(let seconds): seconds.map { "light for \($0) s" } ?? "light off"
    case .state(let state): "now in state \(state.name)"
    }
  }
}
