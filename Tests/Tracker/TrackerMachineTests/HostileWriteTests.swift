import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine
import VirtualRadio

@Suite("Hostile writes")
struct HostileWriteTests {
  /// In what a tracker is when somebody writes to it.
  enum Situation: CaseIterable, Sendable {
    case factory
    /// A request of onboarding was answered, and the finish is waited for.
    case answered
    case locked
    case keyed
    /// A challenge was read.
    case challenged
    /// Away from its owner: strangers may make it sound.
    case separated
  }

  private func tracker(in situation: Situation) throws -> Simulation {
    var tracker: Simulation
    switch situation {
    case .factory, .answered:
      tracker = Simulation(TrackerSamples.factory())
      try tracker.start(clock: nil)
    case .locked:
      var record = TrackerSamples.factory()
      record.failures = TrackerRecord.failureLimit
      tracker = Simulation(record)
      try tracker.start(clock: nil)
    case .keyed, .challenged, .separated:
      tracker = try Simulation.keyed()
      try tracker.run(for: situation == .separated ? 2_000_000 : Period.rotationDelayLimit)
    }
    try tracker.send(.connected)
    return tracker
  }

  /// What stands before each write.
  private func prepare(
    _ tracker: inout Simulation, _ situation: Situation, _ characteristic: TrackerCharacteristic
  ) throws {
    switch situation {
    case .answered where characteristic == .onboard:
      let info = try tracker.read(.info)
      let app = try AppOnboarding(
        info: info.span, code: TrackerSamples.code(),
        privateKey: try SecureRandom.secret(count: 32), nonce: try SecureRandom.bytes())
      try tracker.send(.write(.onboard, app.request.indices.map { app.request[$0] }))
    case .challenged: _ = try tracker.read(.challenge)
    case .factory, .answered, .locked, .keyed, .separated: break
    }
  }

  /// Whether a write was answered once, and led to nothing.
  private func isHarmless(
    _ done: [TrackerAction], _ characteristic: TrackerCharacteristic
  ) -> Bool {
    var responses: [TrackerResponse] = []
    var indications = 0
    for action in done {
      switch action {
      case .respond(let response): responses.append(response)
      case .indicate(let other, let value):
        guard other == characteristic, value.count <= 20 else { return false }
        indications += 1
      // Failures are counted; three answers that prove nothing end the connection.
      case .store, .disconnect: break
      case .advertise, .silence, .startSound, .stopSound, .startLight, .stopLight, .stateChanged:
        return false
      }
    }
    return characteristic.isWritable
      ? responses == [.written] && indications == 1
      : responses == [.refused(0x03)] && indications == 0
  }

  @Test(
    "Of every length, to every characteristic: each is answered, and none does anything",
    arguments: Situation.allCases, TrackerCharacteristic.allCases)
  func everyLength(situation: Situation, characteristic: TrackerCharacteristic) throws {
    var tracker = try tracker(in: situation)
    let before = tracker.machine.record
    var harmful: [[UInt8]] = []
    for count in 0...512 {
      // A request or a deferred package, a finish, and nothing that is known.
      for first: UInt8 in [0x01, 0x03, 0xFF] {
        try prepare(&tracker, situation, characteristic)
        let bytes = Array(([first] + [UInt8](repeating: 0x5A, count: 511)).prefix(count))
        let done = try tracker.send(.write(characteristic, bytes))
        if !isHarmless(done, characteristic) { harmful.append(bytes) }
        guard done.disconnects else { continue }
        try tracker.send(.disconnected)
        try tracker.send(.connected)
      }
    }
    #expect(harmful.isEmpty)
    #expect(tracker.machine.record.state == before.state)
    var after = tracker.machine.record
    after.failures = before.failures
    #expect(after == before)
    #expect(try tracker.read(.info).count == OnboardingInfo.byteCount)
    let deadline = try #require(tracker.machine.nextDeadline)
    #expect(deadline > tracker.uptime)
  }

  @Test("No keys are made for those who ask a tracker with an owner, or one that is locked")
  func noKeys() throws {
    for situation: Situation in [.keyed, .locked] {
      var tracker = try tracker(in: situation)
      if situation == .locked { _ = try tracker.read(.info) }
      var untouched = tracker.generator
      for count in [0, 41, 50] {
        let status: UInt8 = situation == .keyed ? 6 : 7
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(try tracker.write(.onboard, bytes) == [4, status])
        if situation == .keyed {
          let info = try tracker.read(.info)
          #expect(info == [1, 1, 0, 15] + [UInt8](repeating: 0, count: 50))
        }
      }
      let expected = untouched.next()
      let next = tracker.generator.next()
      #expect(next == expected)
    }
  }
}
