import Bluetooth
import LunaCore

@testable import LunaLocation

/// What gpsd says, in pieces.
enum ReceiverRun {
  @Sendable static func run(_ bytes: [UInt8]) {
    var script = ScriptReader(bytes)
    let now = Timestamp(microseconds: script.number())
    var lines = LineSplitter(limit: 4096)
    var session = GPSDSession()
    while !script.isAtEnd {
      for line in lines.split(script.take(64)) {
        guard case .tell(.fix(let fix))? = session.receive(line, at: now) else { continue }
        precondition(-90...90 ~= fix.latitude && -180...180 ~= fix.longitude, "no such place")
      }
    }
  }
}
