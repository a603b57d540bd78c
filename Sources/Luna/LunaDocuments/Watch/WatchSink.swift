import Beacons
package import Bluetooth
import LunaCore
package import LunaLocal
package import LunaWatch

/// Hands what is heard to the engine, and writes what it finds.
package final class WatchSink: ReportSink {
  private var engine: WatchEngine
  private let scan: LocalScan
  private let places: WatchPlaces
  private let lines: WatchLines
  private let decoder = BeaconDecoder()
  private var beacons: [Beacon] = []
  private let gate: ListeningGate?
  /// Whether there is anybody who is known by keys, or may come.
  private let hasDevices: Bool
  private var isFinished = false
  /// Reports without a time that can be, which nobody can judge.
  private var untimed = 0
  /// Whether anything was a suspect.
  package private(set) var hasFound = false

  /// - Parameters:
  ///   - scan: knows who is known by keys.
  ///   - places: where it was heard.
  ///   - isFile: whether it is a recording, in which nobody comes to be known.
  ///   - gate: lets lines about listening stand among these.
  package init(
    _ engine: WatchEngine, _ scan: LocalScan, _ places: WatchPlaces, _ lines: WatchLines,
    isFile: Bool, gate: ListeningGate? = nil
  ) {
    self.engine = engine
    self.gate = gate
    self.scan = scan
    self.places = places
    self.lines = lines
    hasDevices = !isFile || !scan.devices.isEmpty
  }

  package var isRestricting: Bool { true }

  package func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    gate?.enter()
    if report.time == .unknown { untimed += 1 }
    places.take(until: report.time) { engine.move(to: $0) }
    beacons.removeAll(keepingCapacity: true)
    decoder.decode(report, into: &beacons)
    var isHeard = false
    var exclusion: WatchExclusion?
    for beacon in beacons {
      guard var frame = WatchFrame(beacon, in: report) else { continue }
      // Who has sent it is known of the whole report.
      if !isHeard { exclusion = self.exclusion(of: report) }
      frame.exclusion = exclusion
      engine.hear(frame)
      isHeard = true
    }
    if !isHeard { engine.listen(at: report.time) }
    return engine.hasFindings ? try tell() : false
  }

  /// Why a report's sender is not to be judged: its keys are here. What others share is told apart, since
  /// it can be used to follow.
  private func exclusion(of report: AdvertisingReport) -> WatchExclusion? {
    guard hasDevices else { return nil }
    let sender = scan.follow([report]).first { $0.event.isFrame && $0.state.uuid != nil }
    return sender.map { $0.state.kind == .lunaShared ? .shared : .own }
  }

  private func tell() throws(OutputBuffer.WriteError) -> Bool {
    var isSuspect = false
    for finding in engine.takeFindings() {
      lines.append(finding)
      if finding.grade >= .suspect { isSuspect = true }
    }
    hasFound = hasFound || isSuspect
    return isSuspect
  }

  package func endBatch() throws(OutputBuffer.WriteError) {
    try lines.flush()
    try gate?.leave(flushes: true)
  }

  package func finish() throws(OutputBuffer.WriteError) {
    isFinished = true
    gate?.enter()
    places.take(until: Timestamp(microseconds: .max)) { engine.move(to: $0) }
    engine.finish()
    _ = try tell()
    try endBatch()
  }

  package var listeningDisplay: (@Sendable (ListeningUpdate) -> Void)? { gate?.display }

  /// What came along last is judged whoever ends the watch: a live one ends with Ctrl-C.
  package func summarize(_ summary: ListenSummary) {
    if !isFinished {
      do throws(OutputBuffer.WriteError) { try finish() } catch { return }
    }
    lines.append(engine.summary, summary, untimed: untimed)
  }
}
