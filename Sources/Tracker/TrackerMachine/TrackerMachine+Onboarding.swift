import LunaCrypto
import LunaProtocol

extension TrackerMachine {
  /// The type of the finish, message 4.
  private static let finishType: UInt8 = 3

  /// A message of onboarding arrived (PROTOCOL.md, 14).
  mutating func onboard(
    _ bytes: [UInt8], at uptime: Int64, _ actions: inout [TrackerAction],
    using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) {
    let message: [UInt8]
    if bytes.first != TrackerMachine.finishType {
      message = try request(bytes, &actions, using: &generator)
    } else if let confirmation = link?.confirmation {
      link?.confirmation = nil
      message = try finish(bytes, confirmation, at: uptime, &actions)
    } else {
      // Whatever the state is, which only requests are told; and the info is for these.
      message = fail(.malformed, &actions)
    }
    link?.onboardValue = message
    actions.append(.indicate(.onboard, link?.indication(of: message) ?? []))
  }

  /// Answers a request, which uses up the info whatever it is.
  private mutating func request(
    _ bytes: [UInt8], _ actions: inout [TrackerAction],
    using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) -> [UInt8] {
    let wasRead = link?.onboarding
    link?.onboarding = nil
    link?.info = nil
    link?.confirmation = nil
    // Then no pair of keys is made, which would cost more of the battery than the answer.
    switch record.state {
    case .keyed: return fail(.keyed, &actions)
    case .locked: return fail(.locked, &actions)
    case .factory: break
    }
    let situation = TrackerOnboarding.Situation(
      state: record.state, isOpen: buttonPressedAt != nil, code: record.code,
      uuid: DeviceUUID(random: nonce(using: &generator)), firmware: hardware.firmware,
      battery: battery)
    // Who wrote without having read an info is told what is wrong all the same.
    let onboarding: TrackerOnboarding
    if let wasRead {
      onboarding = wasRead
    } else {
      onboarding = try makeOnboarding(using: &generator)
    }
    switch try onboarding.answer(request: bytes.span, in: situation) {
    case .response(let message, let confirmation) where wasRead != nil:
      link?.confirmation = confirmation
      offeredUUID = situation.uuid
      return message
    case .response: return fail(.malformed, &actions)
    case .failure(let status): return fail(status, &actions)
    }
  }

  private mutating func finish(
    _ bytes: [UInt8], _ confirmation: TrackerConfirmation, at uptime: Int64,
    _ actions: inout [TrackerAction]
  ) throws(CryptoError) -> [UInt8] {
    switch try confirmation.conclude(finish: bytes.span) {
    case .failure(let status): return fail(status, &actions)
    case .done(let message, let masterKey, let clock):
      record = TrackerRecord(
        code: record.code,
        ownership: TrackerRecord.Ownership(
          uuid: offeredUUID, masterKey: masterKey, onboardingTimestamp: clock))
      actions.append(.store(record))
      self.clock = makeClock(Int64(clock) * 1000, at: uptime)
      minimumPeriod = 0
      link?.info = nil
      try adoptOwnership(at: uptime)
      actions.append(.stateChanged(record.state))
      return message
    }
  }

  /// Counts an attempt that was refused with status 2 to 5; five lock the tracker. What is malformed
  /// guesses nothing, and who gives up in the middle is no danger to a code of 128 bits: strangers who
  /// lock trackers would be.
  private mutating func fail(
    _ status: OnboardingStatus, _ actions: inout [TrackerAction]
  ) -> [UInt8] {
    if record.state == .factory, status.countsTowardsLock {
      record.failures += 1
      actions.append(.store(record))
      if record.state == .locked {
        link?.info = nil
        actions.append(.stateChanged(record.state))
      }
    }
    return [status.message[0], status.message[1]]
  }

  /// The button went down: the tracker can be connected to and onboarded without a code for a
  /// minute, and is no longer locked.
  mutating func pressButton(at uptime: Int64, _ actions: inout [TrackerAction]) {
    guard hardware.capabilities.contains(.button) else { return }
    buttonDownSince = uptime
    buttonPressedAt = uptime
    guard record.failures > 0 else { return }
    let wasLocked = record.state == .locked
    record.failures = 0
    actions.append(.store(record))
    if wasLocked {
      link?.info = nil
      actions.append(.stateChanged(record.state))
    }
  }
}
