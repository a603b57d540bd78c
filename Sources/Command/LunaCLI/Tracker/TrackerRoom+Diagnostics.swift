import Diagnosis
import LunaDocuments
import LunaProtocol
import LunaTracker
import TrackerSimulation

extension TrackerRoom {
  /// A room with the trackers of a state directory; what they do is told on standard error.
  static func make(
    seed: UInt64, time: ProtocolTime, state: String, _ diagnostics: Diagnostics
  ) throws(TrackerError) -> TrackerRoom {
    try TrackerRoom(
      seed: seed, state: state, time: time,
      tell: { diagnostics.note("luna: \($0.tracker): \($0.event.text)") },
      fail: { name, error in
        diagnostics.note("luna: the tracker \"\(name)\" has stopped: \(error)")
      },
      leaveOut: { name, error in
        diagnostics.note("luna: the tracker \"\(name)\" is not in the room: \(error.reason)")
      })
  }
}
