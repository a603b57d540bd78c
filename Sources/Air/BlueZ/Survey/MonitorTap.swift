import EventLoop
import Glibc
import HCIHost

/// Listens on the monitor channel for what it tells of others.
actor MonitorTap: ReactorActor {
  /// How many refusals are kept, the last ones.
  private static let limit = 64

  nonisolated let reactor: Reactor

  private let reader = PacketReader(slot: 1024, count: 32)
  private var descriptor: Int32 = -1
  private var watch: ReactorWatch?
  private var programs: [UInt32: NeighbourSurvey.Program] = [:]
  private var survey = NeighbourSurvey()

  init(reactor: Reactor) { self.reactor = reactor }

  /// Begins; false where this process may not.
  func open(on host: any BluetoothHost) async -> Bool {
    guard let opened = try? await host.openMonitor(reportsOnly: false) else { return false }
    descriptor = opened
    watch = onReady(opened, for: .readable) { tap, _ in tap.receive() }
    return true
  }

  /// Ends, and tells what was heard; of programs, those that have their sockets still.
  func close() -> NeighbourSurvey {
    if descriptor >= 0 {
      receive()
      end()
    }
    survey.programs = programs.sorted { $0.key < $1.key }.map(\.value)
    return survey
  }

  private func receive() {
    while descriptor >= 0 {
      let outcome = reader.receive(from: descriptor) { packet, _ in
        if let note = MonitorNote(packet) { take(note) }
      }
      if case .packets(let count) = outcome, count == reader.batch { continue }
      if case .ended = outcome { end() }
      return
    }
  }

  private func take(_ note: MonitorNote) {
    switch note {
    case .opened(let cookie, let program): programs[cookie] = program
    case .closed(let cookie): programs[cookie] = nil
    case .reports(let count, let adapter): survey.reports[adapter, default: 0] += count
    case .ended(let opcode, let status, let adapter):
      guard status != .success, MgmtOpcode.switches.contains(opcode) else { return }
      survey.refusals.append(
        NeighbourSurvey.Refusal(
          command: MgmtOpcode.name(opcode), status: status.description, adapter: adapter))
      if survey.refusals.count > MonitorTap.limit { survey.refusals.removeFirst() }
    }
  }

  private func end() {
    watch?.cancel()
    watch = nil
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}
