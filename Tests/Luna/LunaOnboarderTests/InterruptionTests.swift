import Bluetooth
import LunaCore
import LunaOnboarder
import LunaProtocol
import LunaStore
import LunaTesting
import Testing
import TrackerMachine

/// Either side ends, or the connection does, at every message: afterwards the tracker is in factory
/// state, or its owner can use it.
@Suite("Interrupted onboarding", .timeLimit(.minutes(10)))
struct InterruptionTests {
  /// An exchange with small PDUs has one message more: all there are.
  static let messages = 1...8

  /// The tracker and the disk of the owner agree: nobody else can have the keys.
  private func check(_ world: World, _ comment: Comment) async throws {
    let store = try world.makeStore()
    let known = try await store.allDevices() + store.pendingOnboardings().map(\.device)
    guard let ownership = world.record()?.ownership else { return }
    #expect(
      known.contains { $0.uuid == ownership.uuid && $0.masterKey == ownership.masterKey }, comment)
  }

  /// A later run, with nothing in the way, ends with a device of which the tracker has the keys, and
  /// with no records.
  private func finish(_ world: World, _ comment: Comment) async throws {
    if let ownership = world.record()?.ownership,
      try await world.makeStore().allDevices().map(\.masterKey) == [ownership.masterKey]
    {
      return
    }
    try world.startOwner()
    let result = try await world.onboard()
    #expect(result.kind == nil, comment)
    guard case .success(let device) = result else { return }
    #expect(world.record()?.ownership?.masterKey == device.masterKey, comment)
    let store = try world.makeStore()
    #expect(try await store.allDevices() == [device], comment)
    #expect(try await store.pendingOnboardings().isEmpty, comment)
  }

  @Test("The owner is killed before or after each message", arguments: [23, 247])
  func ownerKilled(mtu: Int) async throws {
    for number in Self.messages {
      for isBefore in [true, false] {
        let comment: Comment = "\(isBefore ? "before" : "after") message \(number), MTU \(mtu)"
        let world = try World(mtu: mtu)
        let client = try world.client {
          $0.number == number ? (isBefore ? .freezeBefore : .freezeAfter) : nil
        }
        let onboarder = world.onboarder(try world.makeStore(), client: client)
        let doomed = Task {
          _ = try? await onboarder.onboard(OnboardingRequest(code: World.code, name: "Keys"))
        }
        // With large PDUs there is no eighth message.
        let (signs, sign) = AsyncStream.makeStream(of: Void.self)
        let waiter = Task {
          await doomed.value
          sign.yield()
        }
        let watcher = Task {
          try await client.untilFrozen()
          sign.yield()
        }
        for await _ in signs { break }
        watcher.cancel()
        await world.dropConnections()
        try await check(world, comment)
        try await world.wait(.seconds(40))
        try await finish(world, comment)
        doomed.cancel()
        client.thaw()
        await waiter.value
      }
    }
  }

  @Test(
    "The tracker vanishes before or after each message: the same run ends it", arguments: [23, 247])
  func trackerVanishes(mtu: Int) async throws {
    for number in Self.messages {
      for isBefore in [true, false] {
        let comment: Comment = "\(isBefore ? "before" : "after") message \(number), MTU \(mtu)"
        let world = try World(mtu: mtu)
        let result = try await world.onboard {
          $0.number == number ? (isBefore ? .vanishBefore : .vanishAfter) : nil
        }
        #expect(result.kind == nil, comment)
        if case .success(let device) = result {
          #expect(world.record()?.ownership?.masterKey == device.masterKey, comment)
        }
        #expect(world.clock.elapsed < .seconds(300), comment)
      }
    }
  }

  @Test("The power of the tracker goes while it takes the keys, before or after they are in flash")
  func powerCut() async throws {
    for moment in CutFiles.Moment.allCases {
      let comment: Comment = "\(moment)"
      let world = try World()
      try world.powerTrackers(files: CutFiles(moment))
      let result = try await world.onboard(limits: OnboardingLimits(resolution: .seconds(70)))
      #expect(result.kind == .unresolved, comment)
      try world.powerTrackers()
      #expect((world.record()?.state == .keyed) == (moment == .after), comment)
      try await check(world, comment)
      try await finish(world, comment)
    }
  }

  @Test("The power of the tracker goes at any message, and comes back: a later run ends it")
  func trackerRestarts() async throws {
    for number in Self.messages {
      let comment: Comment = "message \(number)"
      let world = try World(mtu: 23)
      _ = try await world.onboard(
        limits: OnboardingLimits(wait: .seconds(70), resolution: .seconds(5))
      ) { message in
        guard message.number >= number else { return nil }
        return .vanishBefore
      }
      try world.powerTrackers()
      try await check(world, comment)
      try await world.wait(.seconds(40))
      try await finish(world, comment)
    }
  }

  @Test("No answer ever to one message: it is given up in time, and made good in the same run")
  func noAnswer() async throws {
    for number in Self.messages {
      let comment: Comment = "message \(number)"
      let world = try World(mtu: 23)
      let result = try await world.onboard {
        $0.number == number ? .never(.seconds(10)) : nil
      }
      #expect(result.kind == nil, comment)
      #expect(world.clock.elapsed < .seconds(300), comment)
    }
  }

  @Test("No answer to anything: it ends in time with its own error, and the next run works")
  func silence() async throws {
    let world = try World()
    let result = try await world.onboard { message in
      message.operation == .connect ? nil : .never(.seconds(10))
    }
    #expect(result.kind == .unreachable)
    #expect(world.clock.elapsed < .seconds(500))
    try await finish(world, "after silence")
  }

  @Test("Late answers are taken")
  func late() async throws {
    let world = try World()
    #expect(try await world.onboard { _ in .late(.seconds(2)) }.kind == nil)
  }

  static let garbage: [@Sendable ([UInt8]) -> [UInt8]] = [
    { _ in [] }, { _ in [0xFF] }, { Array($0.dropLast()) }, { $0 + [0] }, { $0.map { ~$0 } },
    { [UInt8](repeating: 2, count: $0.count) }, { _ in [UInt8](repeating: 4, count: 600) },
    { bytes in
      var bytes = bytes
      if !bytes.isEmpty { bytes[bytes.count - 1] ^= 1 }
      return bytes
    },
  ]

  @Test("Garbage in place of each message: an error of its own or none, and nothing is lost")
  func garbage() async throws {
    // The info, the response, the last message.
    for number in [3, 5, 7] {
      for (index, change) in Self.garbage.enumerated() {
        let comment: Comment = "message \(number), garbage \(index)"
        let world = try World()
        let result = try await world.onboard { message in
          message.number == number ? .garbage(change) : nil
        }
        if number == 7 {
          // The tracker has taken the keys, whatever somebody says: asking it shows that.
          #expect(result.kind == nil, comment)
        } else if result.kind != nil {
          #expect(
            [.malformed, .wrongCode, .refused, .crypto].contains(result.kind), comment)
          #expect(world.record()?.state == .factory, comment)
        }
        try await check(world, comment)
        try await finish(world, comment)
      }
    }
  }

  @Test("Somebody says that the tracker refused; the tracker, asked, says that it did not")
  func forgedRefusal() async throws {
    let world = try World()
    let device = try await world.onboard { message in
      message.number == 7 ? .garbage { _ in [4, 4] } : nil
    }.get()
    #expect(world.record()?.ownership?.masterKey == device.masterKey)
  }

  @Test(
    "The tracker does refuse: it is seen in factory state, the record goes, and the error is told")
  func refusal() async throws {
    let world = try World()
    let store = try world.makeStore()
    // The finish is altered on the way.
    let client = AlteringClient(try world.client())
    let onboarder = world.onboarder(store, client: client)
    do throws(OnboardingError) {
      _ = try await onboarder.onboard(OnboardingRequest(code: World.code))
      Issue.record("it came about")
    } catch {
      #expect(error.kind == .refused)
    }
    #expect(try await store.pendingOnboardings().isEmpty)
    #expect(world.record()?.failures == 1)
    try await finish(world, "after a refusal")
  }

  @Test(
    "Another tracker's frames do not discard a record, nor do those of the time of the connection")
  func records() async throws {
    let other = try OnboardingCode(text: "LUNA1:000000000000000000000000000")
    let world = try World([
      "Keys": TrackerRecord(code: World.code), "Other": TrackerRecord(code: other),
    ])
    let result = try await world.onboard(
      limits: OnboardingLimits(resolution: .seconds(1))
    ) { message in
      // Afterwards it is out of reach: a tracker that showed a connectable frame at once would be
      // asked right away, and chance decides over that.
      message.number < 6 ? nil : message.number == 6 ? .vanishAfter : .vanishBefore
    }
    #expect(result.kind == .unresolved)
    let store = try world.makeStore()
    #expect(try await store.pendingOnboardings().count == 1)
    try world.startOwner()
    let second = try await world.onboard(
      OnboardingRequest(code: other, name: "Other"), store: store)
    #expect(second.kind == nil)
    // Both are there now: the first one was asked when it accepted a connection, or still waits.
    let names =
      try await store.allDevices().map(\.name)
      + store.pendingOnboardings().map(\.device.name)
    #expect(Set(names) == ["Keys", "Other"])
  }
}
