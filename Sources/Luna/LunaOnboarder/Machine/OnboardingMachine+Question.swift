import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// Asking a tracker whether it has the keys of a record: an interactive ping (PROTOCOL.md, 12).
extension OnboardingMachine {
  /// Connects to the tracker of a record, when that can be and makes sense.
  mutating func question(
    _ uuid: DeviceUUID, of sighting: OnboardingSighting, at elapsed: Duration
  ) -> OnboardingAction? {
    guard sighting.isConnectable, !request.isDryRun,
      let record = pending.first(where: { $0.device.uuid == uuid }),
      questions[uuid, default: 0] < OnboardingMachine.attemptLimit
    else { return nil }
    questions[uuid, default: 0] += 1
    phase = .asking(record, .connecting)
    tell(.asking(sighting.peer))
    return .connect(sighting.peer, within: limits.left(of: limits.connect, at: elapsed))
  }

  mutating func ask(
    _ record: PendingOnboarding, _ question: Question, _ input: OnboardingInput,
    at elapsed: Duration
  ) -> OnboardingAction {
    let uuid = record.device.uuid
    switch (question, input) {
    case (_, .storeFailed(let error)):
      return disconnect(.finish(.failure(OnboardingError(error))))
    case (_, .failed(let error)):
      if error.kind == .adapterLost {
        return disconnect(.finish(.failure(OnboardingError(error))))
      }
      return giveUp(record)
    case (.connecting, .connected(_, true)):
      phase = .asking(record, .subscribing)
      return .subscribeControl
    case (.subscribing, .subscribed):
      phase = .asking(record, .challenging)
      return .readChallenge
    case (.challenging, .challenge(let bytes)):
      guard let challenge = ControlChallenge(bytes.span) else { return giveUp(record) }
      phase = .asking(record, .counting(challenge))
      return .issueCounter(uuid)
    case (.counting(let challenge), .counter(let counter)):
      guard let package = ping(record, challenge, counter) else {
        return disconnect(.finish(.failure(.crypto("no package can be made"))))
      }
      phase = .asking(record, .writing(package))
      return .writeControl(package.bytes.indices.map { package.bytes[$0] })
    case (.writing(let package), .written):
      phase = .asking(record, .awaiting(package))
      return .receiveReceipt(within: limits.left(of: limits.answer, at: elapsed))
    case (.awaiting(let package), .message(let bytes)):
      return isProof(bytes, record, package) ? disconnect(.promote(uuid)) : giveUp(record)
    default: return giveUp(record)
    }
  }

  /// For now; it may be asked again.
  private mutating func giveUp(_ record: PendingOnboarding) -> OnboardingAction {
    let pauses = OnboardingMachine.pauses
    let asked = questions[record.device.uuid, default: 1]
    return disconnect(.again(pauses[min(asked, pauses.count) - 1]))
  }

  private func ping(
    _ record: PendingOnboarding, _ challenge: ControlChallenge, _ counter: UInt32
  ) -> ControlPackage? {
    guard let keys = keys(of: record), var authenticator = try? ControlAuthenticator() else {
      return nil
    }
    return try? authenticator.interactivePackage(
      .ping, argument: 0, counter: counter, challenge: challenge, keys: keys)
  }

  /// Whatever the status is: only the tracker with these keys can say it under authentication.
  private func isProof(
    _ bytes: [UInt8], _ record: PendingOnboarding, _ package: ControlPackage
  ) -> Bool {
    guard let keys = keys(of: record), var authenticator = try? ControlAuthenticator() else {
      return false
    }
    return (try? authenticator.verify(bytes.span, for: package, keys: keys)) != nil
  }

  private func keys(of record: PendingOnboarding) -> TrackerKeys? {
    guard let masterKey = record.device.masterKey, var schedule = try? KeySchedule() else {
      return nil
    }
    return schedule.keys(of: masterKey)
  }
}
