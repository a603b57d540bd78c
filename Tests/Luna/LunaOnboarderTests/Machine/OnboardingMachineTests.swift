import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol
import Testing

@testable import LunaOnboarder

@Suite("The machine of an onboarding")
struct OnboardingMachineTests {
  typealias Step = Walk.Step
  /// The steps with a connection.
  static let connected = Step.allCases.filter { (Step.subscribe...Step.receiveDone).contains($0) }

  @Test("Everything in its order: the record before the finish, the device at the end")
  func order() throws {
    var walk = try Walk()
    for step in Step.allCases {
      try walk.go(to: step)
      #expect(try walk.current() == step)
    }
    guard case .promote(let uuid, let name) = walk.action else {
      Issue.record("no device at the end")
      return
    }
    #expect(uuid == DeviceUUID(high: 1, low: 2))
    #expect(name == "Keys")
    let device = try #require(walk.machine.pending.first?.device)
    #expect(device.onboardingSeconds == 1_795_000_000)
    walk.send(.promoted(device))
    guard case .finish(.success(.onboarded(device))) = walk.action else {
      Issue.record("not onboarded: \(walk.action)")
      return
    }
    let (news, _) = walk.machine.takeNews()
    #expect(news == [.discoveredConnectableLuna(Walk.peer.description), .lunaOnboarded(device)])
  }

  @Test("A connection that breaks is made again, with a new info, until it was tried five times")
  func breaks() throws {
    for step in Self.connected where step < .writeFinish && step != .store {
      var walk = try Walk()
      for attempt in 1...5 {
        try walk.go(to: step)
        #expect(walk.machine.attempts == attempt)
        walk.send(.failed(GATTError(.abortedByPeer, during: "read", "gone")))
        #expect(walk.isDisconnecting)
        walk.send(.disconnected)
        guard attempt < 5 else { break }
        if case .pause = walk.action { walk.send(.paused) }
        #expect(walk.isListening)
      }
      #expect(walk.failure == .unreachable, "\(step)")
      #expect(walk.machine.pending.isEmpty)
    }
  }

  static let final: [(GATTError.Kind, OnboardingError.Kind)] = [
    (.refused, .unreachable), (.malformed, .malformed), (.adapterLost, .adapter),
    (.notFound, .notOffered),
  ]

  @Test("What another attempt does not mend ends it at once, with its own error", arguments: final)
  func ends(kind: GATTError.Kind, expected: OnboardingError.Kind) throws {
    for step in Self.connected where step < .writeFinish && step != .store {
      var walk = try Walk()
      try walk.go(to: step)
      walk.send(.failed(GATTError(kind, during: "read", "no")))
      walk.send(.disconnected)
      #expect(walk.failure == expected, "\(step)")
    }
  }

  @Test("Once the finish may have been sent, no failure ends it before the tracker was heard again")
  func unresolved() throws {
    for step in [Step.writeFinish, .receiveDone] {
      for kind in [GATTError.Kind.abortedByPeer, .timedOut, .refused, .daemonRestarted] {
        var walk = try Walk()
        try walk.go(to: step)
        walk.send(.failed(GATTError(kind, during: "write", "gone")))
        walk.send(.disconnected)
        #expect(walk.isListening, "\(step) \(kind)")
        walk.elapsed = .seconds(149)
        #expect(walk.send(.heard([])).isListen)
        walk.elapsed = .seconds(151)
        walk.send(.heard([]))
        #expect(walk.failure == .unresolved)
        #expect(walk.machine.pending.count == 1)
      }
      var walk = try Walk()
      try walk.go(to: step)
      walk.send(.failed(GATTError(.adapterLost, during: "write", "gone")))
      walk.send(.disconnected)
      #expect(walk.failure == .unresolved)
    }
  }

  @Test("A limit for all of it is one for each part")
  func total() throws {
    var walk = try Walk(limits: OnboardingLimits(total: .seconds(12)))
    #expect(walk.machine.patience(at: .zero) == .seconds(12))
    walk.elapsed = .seconds(4)
    try walk.go(to: .connect)
    guard case .connect(_, let limit) = walk.action, limit == .seconds(8) else {
      Issue.record("not what is left: \(walk.action)")
      return
    }
    walk.elapsed = .seconds(9)
    try walk.go(to: .receiveResponse)
    guard case .receive(let limit) = walk.action, limit == .seconds(3) else {
      Issue.record("not what is left: \(walk.action)")
      return
    }
    // What tells whether the tracker has the keys is waited for.
    try walk.go(to: .receiveDone)
    guard case .receive(let limit) = walk.action, limit == .seconds(10) else {
      Issue.record("not waited for: \(walk.action)")
      return
    }
    walk.send(.failed(GATTError(.timedOut, during: "indication", "gone")))
    walk.send(.disconnected)
    #expect(walk.isListening)
    walk.elapsed = .seconds(13)
    walk.send(.heard([]))
    #expect(walk.failure == .unresolved)
  }

  @Test("In factory state again: after a while the record goes, and the next attempt comes")
  func discards() throws {
    var walk = try Walk()
    try walk.go(to: .receiveDone)
    walk.send(.failed(GATTError(.abortedByPeer, during: "indication", "gone")))
    walk.send(.disconnected)
    // What was sent before the tracker took the keys may still be heard.
    walk.elapsed = .seconds(4)
    #expect(walk.send(.heard([try walk.sighting()])).isListen)
    walk.elapsed = .seconds(6)
    guard case .discard(let uuid) = walk.send(.heard([try walk.sighting()])) else {
      Issue.record("not discarded: \(walk.action)")
      return
    }
    #expect(uuid == DeviceUUID(high: 1, low: 2))
    walk.send(.discarded)
    #expect(walk.isListening)
    #expect(walk.machine.pending.isEmpty)
    try walk.go(to: .promote)
    #expect(walk.machine.attempts == 2)
  }

  @Test("A record of an earlier run stays as long as a message may be on its way")
  func young() throws {
    let walker = try Walk()
    let device = Device(
      uuid: DeviceUUID(high: 3, low: 4), masterKey: MasterKey(bytes: InlineArray(repeating: 5)),
      onboardingTimestamp: Walk.start, name: "before")
    let record = PendingOnboarding(device: device, hint: try walker.hint)
    var walk = try Walk(pending: [record])
    walk.elapsed = .seconds(30)
    #expect(walk.machine.pending.count == 1)
    // Nor is the tracker onboarded anew meanwhile.
    let action = walk.send(.heard([try walk.sighting()]))
    #expect(action.isListen)
    walk.elapsed = .seconds(36)
    guard case .discard = walk.send(.heard([try walk.sighting()])) else {
      Issue.record("not discarded: \(walk.action)")
      return
    }
  }

  @Test("Stopped at any step, it disconnects and ends")
  func stop() throws {
    for step in Step.allCases where step != .promote {
      var walk = try Walk()
      try walk.go(to: step)
      walk.send(.stop)
      #expect(walk.isDisconnecting, "\(step)")
      walk.send(.disconnected)
      #expect(walk.failure == .stopped, "\(step)")
    }
  }

  @Test("The store refuses: nothing that binds the tracker is sent")
  func store() throws {
    var walk = try Walk()
    try walk.go(to: .store)
    walk.send(.storeFailed(DeviceStoreError(.full, "full")))
    #expect(walk.isDisconnecting)
    walk.send(.disconnected)
    #expect(walk.failure == .store)
    #expect(walk.machine.pending.isEmpty)
    walk = try Walk()
    try walk.go(to: .promote)
    walk.send(.storeFailed(DeviceStoreError(.full, "full")))
    #expect(walk.failure == .store)
    #expect(walk.machine.pending.count == 1)
  }

  @Test("An input out of order ends it")
  func disorder() throws {
    for step in Self.connected {
      var walk = try Walk()
      try walk.go(to: step)
      walk.send(.counter(1))
      walk.send(.disconnected)
      #expect(walk.failure == .malformed, "\(step)")
    }
  }

  static let statuses: [(UInt8, OnboardingError.Kind)] = [
    (1, .refused), (2, .codeNeeded), (3, .refused), (5, .refused), (6, .keyed), (7, .locked),
    (99, .refused),
  ]

  @Test("A request that is refused, by its status", arguments: statuses)
  func refused(status: UInt8, expected: OnboardingError.Kind) throws {
    var walk = try Walk()
    try walk.go(to: .receiveResponse)
    walk.send(.message([4, status]))
    walk.send(.disconnected)
    #expect(walk.failure == expected)
  }

  @Test("An info of a tracker that is locked, has an owner, or is no info")
  func infos() throws {
    func failure(_ bytes: [UInt8]) throws -> OnboardingError.Kind? {
      var walk = try Walk()
      try walk.go(to: .readInfo)
      walk.send(
        .info(
          bytes, privateKey: SecretBytes(copying: [UInt8](repeating: 7, count: 32).span),
          nonce: InlineArray(repeating: 6)))
      walk.send(.disconnected)
      return walk.failure
    }
    let rest = [UInt8](repeating: 0, count: 52)
    #expect(try failure([1, 1] + rest) == .keyed)
    #expect(try failure([1, 2] + rest) == .locked)
    #expect(try failure([1, 3] + rest) == .malformed)
    #expect(try failure([2, 0] + rest) == .malformed)
    #expect(try failure([1, 0] + rest) == .malformed)
    #expect(try failure([]) == .malformed)
    // A key of low order: no secret can come of it.
    #expect(try failure([1, 0, 0, 1, 1, 0] + [UInt8](repeating: 0, count: 48)) == .malformed)
  }

  @Test("An indication that holds none of its message is read like one that holds the beginning")
  func emptyIndications() throws {
    for step in [Step.receiveResponse, .receiveDone] {
      for piece: [UInt8] in [[], [step == .receiveDone ? 4 : 2]] {
        var walk = try Walk()
        try walk.go(to: step)
        guard case .readMessage = walk.send(.message(piece)) else {
          Issue.record("not read: \(walk.action)")
          return
        }
      }
    }
  }

  @Test("A device without the service is not connected to again")
  func foreign() throws {
    var walk = try Walk()
    try walk.go(to: .connect)
    walk.send(.connected(canOnboard: false, canControl: true))
    walk.send(.disconnected)
    #expect(walk.failure == .notOffered)
  }

  @Test("A code that fits leaves no choice: the first frame leads to a connection")
  func fits() throws {
    var walk = try Walk(OnboardingRequest(code: Walk.code))
    guard case .connect(Walk.peer, _) = walk.send(.heard([try walk.sighting()])) else {
      Issue.record("it waits: \(walk.action)")
      return
    }
  }

  @Test("Without a code a second tracker is listened for before one is chosen")
  func settles() throws {
    var walk = try Walk(OnboardingRequest(allowsUnauthenticated: true))
    #expect(walk.send(.heard([try walk.sighting()])).isListen)
    walk.elapsed = .milliseconds(1900)
    #expect(walk.send(.heard([try walk.sighting()])).isListen)
    walk.elapsed = .seconds(2)
    guard case .connect(Walk.peer, _) = walk.send(.heard([try walk.sighting()])) else {
      Issue.record("it still waits: \(walk.action)")
      return
    }
  }

  @Test("Two that show the same code: the owner has to say which one")
  func twins() throws {
    var walk = try Walk(OnboardingRequest(code: Walk.code))
    let twin = OnboardingSighting(
      GATTPeer(BluetoothAddress(value: 0xC0FF_EE00_0002), .random), isConnectable: true,
      .factory(hint: try walk.hint))
    for second in 0..<12 {
      walk.elapsed = .seconds(second)
      #expect(walk.send(.heard([try walk.sighting(false), twin])).isListen)
    }
    walk.elapsed = .seconds(12)
    walk.send(.heard([try walk.sighting(false), twin]))
    #expect(walk.failure == .ambiguous)
  }

  @Test("The tracker of the code is locked: that is told, and its button waited for")
  func locked() throws {
    func locked(_ esf: ESF?) -> OnboardingSighting {
      OnboardingSighting(Walk.peer, isConnectable: true, .other(esf))
    }
    var walk = try Walk(OnboardingRequest(code: Walk.code))
    let hint = try walk.hint
    _ = walk.machine.takeNews()
    walk.send(.heard([locked(ESF(value: hint.value ^ 1)), locked(nil)]))
    #expect(walk.machine.takeNews().1 == [])
    for _ in 0..<2 { #expect(walk.send(.heard([locked(hint)])).isListen) }
    #expect(walk.machine.takeNews().1 == [.locked(Walk.peer)])
    var late = walk
    late.elapsed = .seconds(120)
    late.send(.heard([locked(hint)]))
    #expect(late.failure == .locked)
    // Somebody presses it.
    guard case .connect(Walk.peer, _) = walk.send(.heard([try walk.sighting()])) else {
      Issue.record("not connected to: \(walk.action)")
      return
    }
  }

  @Test(
    "Five failures of this run lock the tracker: that counts, not that it could be onboarded before"
  )
  func becomesLocked() throws {
    var walk = try Walk(OnboardingRequest(code: Walk.code))
    walk.send(.heard([try walk.sighting(false)]))
    walk.elapsed = .seconds(120)
    walk.send(.heard([OnboardingSighting(Walk.peer, isConnectable: true, .other(try walk.hint))]))
    #expect(walk.failure == .locked)
  }

  /// A machine with a record, asking its tracker.
  private func asking() throws -> (Walk, ControlPackage, TrackerKeys) {
    let walker = try Walk()
    let masterKey = MasterKey(bytes: InlineArray(repeating: 5))
    let record = PendingOnboarding(
      device: Device(
        uuid: DeviceUUID(high: 3, low: 4), masterKey: masterKey, onboardingTimestamp: Walk.start,
        name: "before"), hint: try walker.hint)
    var walk = try Walk(
      OnboardingRequest(code: try OnboardingCode(text: "LUNA1:0024H36H2NCSVRH6DAQF6DVVQZW")),
      pending: [record])
    let sighting = OnboardingSighting(
      Walk.peer, isConnectable: true, .pending(record.device.uuid))
    guard case .connect(Walk.peer, _) = walk.send(.heard([sighting])) else {
      throw OnboardingError(.malformed, "not asked: \(walk.action)")
    }
    walk.send(.connected(canOnboard: true, canControl: true))
    walk.send(.subscribed)
    walk.send(.challenge([UInt8](repeating: 1, count: 20)))
    walk.send(.counter(77))
    guard case .writeControl(let bytes) = walk.action, let package = ControlPackage(bytes.span)
    else { throw OnboardingError(.malformed, "no package: \(walk.action)") }
    walk.send(.written)
    var schedule = try KeySchedule()
    return (walk, package, schedule.keys(of: masterKey))
  }

  @Test("A ping, whose receipt makes a device of the record, whatever its status")
  func question() throws {
    for status in [ControlStatus.done, .stale, .limited] {
      var (walk, package, keys) = try asking()
      #expect(package.command == .ping)
      #expect(package.counter == 77)
      var authenticator = try ControlAuthenticator()
      let receipt = try authenticator.receipt(
        for: package, status: status, clock: 1, keys: keys)
      walk.send(.message(receipt.indices.map { receipt[$0] }))
      #expect(walk.isDisconnecting)
      walk.send(.disconnected)
      guard case .promote(DeviceUUID(high: 3, low: 4), nil) = walk.action else {
        Issue.record("not promoted: \(walk.action)")
        return
      }
    }
  }

  @Test("Answers that prove nothing: it is asked five times, and the record stays")
  func forged() throws {
    for answer: [UInt8] in [
      [], [4, 0, 0, 0, 0], [1, 0, 0, 0, 0], [UInt8](repeating: 0, count: 17),
      [UInt8](repeating: 0, count: 18),
    ] {
      var (walk, _, _) = try asking()
      walk.send(.message(answer))
      walk.send(.disconnected)
      if case .pause = walk.action { walk.send(.paused) }
      #expect(walk.isListening)
      #expect(walk.machine.pending.count == 1)
      let sighting = OnboardingSighting(
        Walk.peer, isConnectable: true, .pending(DeviceUUID(high: 3, low: 4)))
      for _ in 2...5 {
        guard case .connect = walk.send(.heard([sighting])) else {
          Issue.record("not asked again: \(walk.action)")
          return
        }
        walk.send(.failed(GATTError(.outOfRange, during: "connect", "gone")))
        walk.send(.disconnected)
        if case .pause = walk.action { walk.send(.paused) }
      }
      #expect(walk.send(.heard([sighting])).isListen)
      #expect(walk.machine.pending.count == 1)
    }
  }
}

extension OnboardingAction {
  fileprivate var isListen: Bool { if case .listen = self { true } else { false } }
}
