import LunaProtocol
import LunaTracker

extension TrackerRoom {
  /// A room with the LunaTrackers of a seed and those of a state directory, which other processes
  /// do not run. What they do is told on standard error.
  ///
  /// Who has a tracker of one's own that waits to be onboarded means that: the one of the seed is
  /// left out then.
  static func make(
    seed: UInt64, time: ProtocolTime, state: String, _ diagnostics: Diagnostics
  ) throws(TrackerError) -> TrackerRoom {
    func leaveOut(_ name: String, _ error: TrackerError) {
      diagnostics.note("luna: the tracker \"\(name)\" is not in the room: \(error.reason)")
    }
    var flashes: [TrackerFlash] = []
    for name in try TrackerFlash.names(in: state) {
      do throws(TrackerError) {
        flashes.append(try TrackerFlash(name: name, state: state))
      } catch {
        leaveOut(name, error)
      }
    }
    let isOneWaiting = flashes.contains { flash in
      guard let image = try? flash.load() else { return false }
      return image.record.ownership == nil
    }
    let room = try TrackerRoom(
      seed: seed, demoKinds: isOneWaiting ? [.own, .foreign] : [.own, .foreign, .factory],
      time: time, tell: { diagnostics.note("luna: \($0.tracker): \($0.event.text)") },
      fail: { name, error in
        diagnostics.note("luna: the tracker \"\(name)\" has stopped: \(error)")
      })
    for flash in flashes {
      do throws(TrackerError) {
        try room.add(flash)
      } catch {
        leaveOut(flash.name, error)
      }
    }
    return room
  }
}

extension TrackerNews.Event {
  /// What happened, in words.
  var text: String {
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
