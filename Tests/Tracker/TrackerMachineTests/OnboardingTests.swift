import LunaCrypto
import LunaTesting
import Testing
import TrackerMachine

@testable import LunaProtocol

@Suite("Onboarding")
struct OnboardingTests {
  static let unixTime: UInt32 = 1_700_000_123

  private func factory() throws -> Simulation {
    var tracker = Simulation(TrackerSamples.factory())
    try tracker.start(clock: nil)
    try tracker.send(.connected)
    try tracker.send(.mtu(64))
    return tracker
  }

  private func app(
    _ tracker: inout Simulation, code: OnboardingCode? = TrackerSamples.code()
  ) throws -> AppOnboarding {
    let info = try tracker.read(.info)
    return try AppOnboarding(
      info: info.span, code: code, privateKey: try SecureRandom.secret(count: 32),
      nonce: try SecureRandom.bytes())
  }

  private func bytes<let count: Int>(_ array: InlineArray<count, UInt8>) -> [UInt8] {
    array.indices.map { array[$0] }
  }

  @Test("The whole exchange, and what is in flash when the last message goes out")
  func whole() throws {
    var tracker = try factory()
    let app = try app(&tracker)
    #expect(app.capabilities == tracker.machine.hardware.capabilities)
    let response = try tracker.write(.onboard, bytes(app.request))
    #expect(response.count == 53)
    #expect(try tracker.read(.onboard) == response)
    let offer = try app.receive(response: response.span)
    #expect(offer.firmware == 0x0100)
    #expect(offer.battery == .normal)
    #expect(tracker.actions.stores.isEmpty)
    let done = try tracker.send(.write(.onboard, try offer.finish(unixTime: Self.unixTime)))
    var wasStored = false
    for action in done {
      switch action {
      case .store: wasStored = true
      case .indicate(.onboard, let message):
        #expect(wasStored)
        try offer.verify(done: message.span)
      default: break
      }
    }
    let record = tracker.flash
    #expect(record.state == .keyed)
    #expect(record.ownership?.masterKey == offer.masterKey)
    #expect(record.ownership?.uuid == offer.uuid)
    #expect(record.ownership?.onboardingTimestamp == Self.unixTime)
    #expect(record.lastCounter == 0)
    #expect(tracker.machine.time(at: tracker.uptime) == Int64(Self.unixTime) * 1000)
    // A keyed tracker shows nothing that lasts, and takes no more requests.
    #expect(try tracker.read(.info) == [1, 1, 0, 15] + [UInt8](repeating: 0, count: 50))
    #expect(try tracker.write(.onboard, bytes(app.request)) == [4, 6])
    // On the air it is the tracker of that key now.
    try tracker.send(.disconnected)
    let frame = try tracker.frame()
    #expect(!frame.isOnboardable)
    var schedule = try KeySchedule()
    let keys = schedule.keys(of: offer.masterKey)
    #expect(frame.eid == schedule.eid(keys.identification, period: try tracker.onAir.period))
  }

  @Test("An MTU of 23 cuts the indication; a read gives all of it, until the connection ends")
  func smallMTU() throws {
    var tracker = Simulation(TrackerSamples.factory())
    try tracker.start(clock: nil)
    try tracker.send(.connected)
    let app = try app(&tracker)
    let indicated = try tracker.write(.onboard, bytes(app.request))
    #expect(indicated.count == 20)
    var whole = try tracker.read(.onboard)
    #expect(whole.count == 53)
    #expect(try tracker.read(.onboard, offset: 22) == Array(whole[22...]))
    #expect(Array(whole.prefix(20)) == indicated)
    _ = try app.receive(response: whole.span)
    try tracker.send(.disconnected)
    try tracker.send(.connected)
    whole = try tracker.read(.onboard)
    #expect(whole.isEmpty)
  }

  @Test("One request per info: the next needs a new one, the same stays readable until then")
  func oneRequest() throws {
    var tracker = try factory()
    let first = try tracker.read(.info)
    #expect(try tracker.read(.info) == first)
    #expect(try tracker.read(.info, offset: 22) == Array(first[22...]))
    let app = try app(&tracker)
    #expect(try tracker.write(.onboard, bytes(app.request)).count == 53)
    #expect(try tracker.write(.onboard, bytes(app.request)) == [4, 1])
    #expect(try tracker.read(.info) != first)
    #expect(tracker.flash.failures == 0)
  }

  @Test("Without a code only within 60 s of the button")
  func withoutCode() throws {
    var tracker = try factory()
    #expect(try tracker.write(.onboard, bytes(app(&tracker, code: nil).request)) == [4, 2])
    try tracker.send(.buttonDown)
    try tracker.send(.buttonUp)
    #expect(tracker.flash.failures == 0)
    try tracker.run(for: 25_000)
    #expect(try tracker.write(.onboard, bytes(app(&tracker, code: nil).request)).count == 53)
    try tracker.run(for: 25_000)
    _ = try tracker.read(.info)
    try tracker.run(for: 10_000)
    #expect(try tracker.write(.onboard, bytes(app(&tracker, code: nil).request)) == [4, 2])
  }

  @Test("A finish with the wrong key, and one of a wrong length")
  func badFinish() throws {
    var tracker = try factory()
    for status: UInt8 in [1, 4] {
      let app = try app(&tracker)
      let response = try tracker.write(.onboard, bytes(app.request))
      var finish = try app.receive(response: response.span).finish(unixTime: Self.unixTime)
      if status == 1 { finish.removeLast() } else { finish[40] ^= 1 }
      #expect(try tracker.write(.onboard, finish) == [4, status])
      #expect(tracker.flash.state == .factory)
      // That attempt is over.
      #expect(try tracker.write(.onboard, finish) == [4, 1])
    }
    // What is malformed guesses nothing.
    #expect(tracker.flash.failures == 1)
  }

  @Test("A finish that nothing was answered before is none, in every state, and uses up no info")
  func strayFinish() throws {
    let finish = [3] + [UInt8](repeating: 0, count: 40)
    var locked = TrackerSamples.factory()
    locked.failures = TrackerRecord.failureLimit
    var trackers = [try factory(), Simulation(locked), try Simulation.keyed()]
    try trackers[1].start(clock: nil)
    for index in 1...2 { try trackers[index].send(.connected) }
    for index in trackers.indices {
      let info = try trackers[index].read(.info)
      #expect(try trackers[index].write(.onboard, finish) == [4, 1])
      #expect(try trackers[index].read(.info) == info)
    }
    // The exchange goes on.
    let app = try app(&trackers[0])
    #expect(try trackers[0].write(.onboard, finish) == [4, 1])
    #expect(try trackers[0].write(.onboard, bytes(app.request)).count == 53)
  }

  @Test("Abandoned and malformed attempts do not lock it, however many")
  func strangersCannotLock() throws {
    var tracker = try factory()
    for _ in 0..<20 {
      // A request that is answered, and nothing more; a connection that ends; nonsense.
      #expect(try tracker.write(.onboard, bytes(app(&tracker).request)).count == 53)
      #expect(try tracker.write(.onboard, [1, 2, 3]) == [4, 1])
      #expect(try tracker.write(.onboard, [3] + [UInt8](repeating: 0, count: 40)) == [4, 1])
      #expect(try tracker.write(.onboard, []) == [4, 1])
      #expect(try tracker.write(.onboard, bytes(app(&tracker).request)).count == 53)
      try tracker.send(.disconnected)
      try tracker.send(.connected)
      try tracker.send(.mtu(64))
    }
    #expect(tracker.flash.failures == 0)
    #expect(tracker.flash.state == .factory)
  }

  /// A finish that is genuine, and announces another exponent.
  private func badFinish(_ offer: OnboardingOffer) throws -> [UInt8] {
    let confirmation = try offer.keys.confirmation(offer.keys.confirmApplication, [3])
    return try [3] + bytes(confirmation) + offer.keys.seal([0, 0, 0, 1, 11, 0, 0, 0], number: 2)
  }

  @Test("What is refused with status 2, 3, 4 or 5 counts", arguments: [2, 3, 4, 5] as [UInt8])
  func refusalsLock(status: UInt8) throws {
    var tracker = try factory()
    for failure in 1...5 as ClosedRange<UInt8> {
      #expect(tracker.flash.state == .factory)
      let app = try app(&tracker, code: status == 2 ? nil : TrackerSamples.code())
      var request = bytes(app.request)
      if status == 3 { request.replaceSubrange(18..<50, with: [UInt8](repeating: 0, count: 32)) }
      var answer = try tracker.write(.onboard, request)
      if status > 3 {
        let offer = try app.receive(response: answer.span)
        var finish = try Array(offer.finish(unixTime: 1))
        finish[finish.count - 1] ^= 1
        answer = try tracker.write(.onboard, status == 4 ? finish : badFinish(offer))
      }
      #expect(answer == [4, status])
      #expect(tracker.flash.failures == failure)
    }
    #expect(tracker.flash.state == .locked)
    #expect(try tracker.read(.info)[1] == 2)
  }

  @Test("Five failures lock it, also over a power cut, until the button")
  func lock() throws {
    var tracker = try factory()
    for failure in 1...5 {
      #expect(tracker.flash.state == .factory)
      #expect(try tracker.write(.onboard, bytes(app(&tracker, code: nil).request)) == [4, 2])
      #expect(tracker.flash.failures == UInt8(failure))
    }
    #expect(tracker.flash.state == .locked)
    #expect(try tracker.read(.info)[1] == 2)
    #expect(try tracker.write(.onboard, [1, 2, 3]) == [4, 7])
    try tracker.restart(clock: nil)
    #expect(try !tracker.frame().isOnboardable)
    try tracker.send(.connected)
    #expect(try tracker.write(.onboard, [1, 2, 3]) == [4, 7])
    try tracker.send(.buttonDown)
    #expect(tracker.flash.state == .factory)
    #expect(try tracker.read(.info)[1] == 0)
    #expect(try tracker.frame().isOnboardable)
  }

  @Test("Ten seconds of button forget the owner; nine do not")
  func reset() throws {
    var tracker = try Simulation.keyed()
    try tracker.send(.buttonDown)
    try tracker.run(for: 9_999)
    try tracker.send(.buttonUp)
    try tracker.run(for: 20_000)
    #expect(tracker.flash.state == .keyed)
    try tracker.send(.buttonDown)
    try tracker.run(for: 10_000)
    #expect(tracker.flash == TrackerSamples.factory())
    #expect(try tracker.frame().isOnboardable)
  }
}
