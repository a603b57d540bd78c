import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing

struct OnboardingTests {
  private func secret(_ random: inout Seeded, _ count: Int) -> SecretBytes {
    let bytes = random.bytes(count)
    return SecretBytes(copying: bytes.span)
  }

  private func code(_ random: inout Seeded) throws -> OnboardingCode {
    try #require(OnboardingCode(secret(&random, 16)))
  }

  private func tracker(_ random: inout Seeded) throws -> TrackerOnboarding {
    try TrackerOnboarding(
      state: .factory, capabilities: [.buzzer, .button], privateKey: secret(&random, 32),
      nonce: random.inline())
  }

  private func situation(
    _ code: OnboardingCode, isOpen: Bool = false, state: OnboardingState = .factory
  ) -> TrackerOnboarding.Situation {
    .init(
      state: state, isOpen: isOpen, code: code, uuid: DeviceUUID(high: 1, low: 2),
      firmware: 0x0102, battery: .low)
  }

  private func confirmation(
    _ answer: TrackerOnboarding.Answer
  ) -> (response: [UInt8], next: TrackerConfirmation)? {
    guard case .response(let response, let next) = answer else { return nil }
    return (response, next)
  }

  @Test(arguments: [true, false])
  func bothSidesEndWithOneKey(withCode: Bool) throws {
    var random = Seeded(15)
    let code = try code(&random)
    let tracker = try tracker(&random)
    let app = try AppOnboarding(
      info: tracker.info.span, code: withCode ? code : nil, privateKey: secret(&random, 32),
      nonce: random.inline())
    #expect(app.capabilities == [.buzzer, .button])
    let answer = try tracker.answer(
      request: app.request.span, in: situation(code, isOpen: !withCode))
    let (response, next) = try #require(confirmation(answer))
    let offer = try app.receive(response: response.span)
    #expect(offer.uuid == DeviceUUID(high: 1, low: 2))
    #expect(offer.firmware == 0x0102 && offer.battery == .low)
    let finish = try offer.finish(unixTime: 1_700_000_000)
    guard case .done(let message, let masterKey, let clock) = try next.conclude(finish: finish.span)
    else {
      Issue.record("the tracker refused")
      return
    }
    #expect(masterKey == offer.masterKey && clock == 1_700_000_000)
    try offer.verify(done: message.span)
    #expect(throws: OnboardingRejection.length) {
      try offer.verify(done: message.span.extracting(first: 17))
    }
    #expect(throws: OnboardingRejection.status(4)) {
      try offer.verify(done: OnboardingStatus.unauthenticated.message.span)
    }
  }

  @Test func anotherCodeIsNoticedByBoth() throws {
    var random = Seeded(16)
    let (code, other) = (try code(&random), try code(&random))
    let tracker = try tracker(&random)
    let app = try AppOnboarding(
      info: tracker.info.span, code: other, privateKey: secret(&random, 32),
      nonce: random.inline())
    let (response, next) = try #require(
      confirmation(try tracker.answer(request: app.request.span, in: situation(code))))
    #expect(throws: OnboardingRejection.confirm) { try app.receive(response: response.span) }
    // An application that goes on all the same.
    let finish = [UInt8(3)] + random.bytes(40)
    guard case .failure(.unauthenticated) = try next.conclude(finish: finish.span) else {
      Issue.record("the tracker took a finish under another code")
      return
    }
  }

  @Test func aTrackerIsOnboardedOnlyWhenItMayBe() throws {
    var random = Seeded(17)
    let code = try code(&random)
    let tracker = try tracker(&random)
    let app = try AppOnboarding(
      info: tracker.info.span, code: nil, privateKey: secret(&random, 32), nonce: random.inline())
    for (situation, expected) in [
      (situation(code, state: .keyed), OnboardingStatus.keyed),
      (situation(code, state: .locked), .locked), (situation(code), .modeRefused),
    ] {
      guard
        case .failure(let status) = try tracker.answer(
          request: app.request.span, in: situation)
      else {
        Issue.record("\(expected) expected")
        continue
      }
      #expect(status == expected)
      #expect(array(status.message) == [4, expected.rawValue])
    }
  }

  @Test func aKeyedTrackerShowsNothingThatLasts() throws {
    var random = Seeded(18)
    let keyed = try TrackerOnboarding(
      state: .keyed, capabilities: [.light], privateKey: secret(&random, 32),
      nonce: random.inline())
    #expect(array(keyed.info) == [1, 1, 0, 2] + [UInt8](repeating: 0, count: 50))
    #expect(OnboardingInfo.state(in: keyed.info.span) == .keyed)
    #expect(throws: OnboardingRejection.state) {
      try AppOnboarding(
        info: keyed.info.span, code: nil, privateKey: secret(&random, 32),
        nonce: InlineArray(repeating: 0))
    }
  }

  @Test(arguments: [(2, 0x80), (3, 0x10), (5, 0x01)])
  func reservedBitsOfTheInfoAreRefused(index: Int, bit: Int) throws {
    var random = Seeded(19)
    var info = array(try tracker(&random).info)
    info[index] |= UInt8(bit)
    #expect(throws: OnboardingRejection.reserved) {
      try AppOnboarding(
        info: info.span, code: nil, privateKey: secret(&random, 32),
        nonce: InlineArray(repeating: 0))
    }
  }

  @Test func messagesOfAnyLengthAreAnswered() throws {
    var random = Seeded(20)
    let code = try code(&random)
    let tracker = try tracker(&random)
    let app = try AppOnboarding(
      info: tracker.info.span, code: code, privateKey: secret(&random, 32),
      nonce: random.inline())
    let (response, next) = try #require(
      confirmation(try tracker.answer(request: app.request.span, in: situation(code))))
    let offer = try app.receive(response: response.span)
    for count in 0..<80 {
      var bytes = random.bytes(count)
      if count > 0 { bytes[0] = UInt8.random(in: 1...4, using: &random) }
      #expect(throws: OnboardingRejection.self) { try app.receive(response: bytes.span) }
      #expect(throws: OnboardingRejection.self) { try offer.verify(done: bytes.span) }
      guard case .failure = try next.conclude(finish: bytes.span) else {
        Issue.record("\(count) random bytes were taken")
        continue
      }
      _ = try tracker.answer(request: bytes.span, in: situation(code, isOpen: true))
    }
  }

  @Test func privateKeysAreChecked() throws {
    var random = Seeded(21)
    let info = try tracker(&random).info
    let error = #expect(throws: OnboardingRejection.self) {
      try AppOnboarding(
        info: info.span, code: nil, privateKey: secret(&random, 31),
        nonce: InlineArray(repeating: 0))
    }
    guard case .crypto(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.kind == .length)
  }
}
