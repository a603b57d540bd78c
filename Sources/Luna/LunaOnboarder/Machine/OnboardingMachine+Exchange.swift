import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaProtocol

/// The five messages.
extension OnboardingMachine {
  /// The lengths of the messages that a tracker indicates.
  private static let responseCount = 53
  private static let doneCount = 18

  mutating func approach(_ candidate: Candidate, at elapsed: Duration) -> OnboardingAction {
    target = candidate
    attempts += 1
    phase = .connecting
    tell(.connecting(candidate.peer, attempt: attempts))
    return .connect(candidate.peer, within: limits.left(of: limits.connect, at: elapsed))
  }

  mutating func exchange(_ input: OnboardingInput, at elapsed: Duration) -> OnboardingAction {
    switch (phase, input) {
    case (_, .failed(let error)): return retreat(after: error)
    case (.connecting, .connected(let canOnboard, _)):
      guard canOnboard else { return disconnect(.finish(.failure(.notOffered))) }
      tell(.agreeing)
      phase = .subscribing
      return .subscribe
    case (.subscribing, .subscribed):
      phase = .readingInfo
      return .readInfo
    case (.readingInfo, .info(let bytes, let privateKey, let nonce)):
      return ask(info: bytes, privateKey, nonce)
    case (.readingInfo, .noRandomness(let error)):
      return disconnect(.finish(.failure(.crypto("\(error)"))))
    case (.requesting(let app), .written):
      phase = .awaitingResponse(app)
      return .receive(within: limits.left(of: limits.answer, at: elapsed))
    case (.awaitingResponse(let app), .message(let bytes)):
      guard isCut(bytes) else { return take(response: bytes, app) }
      phase = .readingResponse(app)
      return .readMessage
    case (.readingResponse(let app), .message(let bytes)): return take(response: bytes, app)
    case (.storing, .storeFailed(let error)):
      // Nothing that binds the tracker was sent.
      return disconnect(.finish(.failure(OnboardingError(error))))
    case (.storing(let offer, let record), .stored): return sendFinish(offer, record)
    case (.finishing(let offer), .written):
      phase = .awaitingDone(offer)
      return .receive(within: limits.answer)
    case (.awaitingDone(let offer), .message(let bytes)):
      guard isCut(bytes) else { return take(done: bytes, offer) }
      phase = .readingDone(offer)
      return .readMessage
    case (.readingDone(let offer), .message(let bytes)): return take(done: bytes, offer)
    // An input that the action before does not lead to: a fault of the shell.
    default:
      return disconnect(
        .finish(
          .failure(
            OnboardingError(
              .malformed, "the onboarding went out of order",
              remedy: "try again; this is a fault of luna that is worth a report"))))
    }
  }

  /// Whether an indication holds the beginning of its message only: PDUs may be small.
  private func isCut(_ bytes: [UInt8]) -> Bool {
    switch bytes.first {
    case 2: bytes.count < OnboardingMachine.responseCount
    case 4: bytes.count < 2 || bytes[1] == 0 && bytes.count < OnboardingMachine.doneCount
    // Not even the beginning.
    case nil: true
    default: false
    }
  }

  private mutating func ask(
    info bytes: [UInt8], _ privateKey: SecretBytes, _ nonce: InlineArray<16, UInt8>
  ) -> OnboardingAction {
    do throws(OnboardingRejection) {
      let app = try AppOnboarding(
        info: bytes.span, code: request.code, privateKey: privateKey, nonce: nonce)
      phase = .requesting(app)
      return .write(app.request.indices.map { app.request[$0] })
    } catch {
      let state = OnboardingInfo.state(in: bytes.span)
      return disconnect(.finish(.failure(OnboardingError(info: error, state: state))))
    }
  }

  private mutating func take(response bytes: [UInt8], _ app: AppOnboarding) -> OnboardingAction {
    // A failed request is answered with the last message.
    if bytes.count == 2, bytes[0] == 4, bytes[1] != 0 {
      return disconnect(.finish(.failure(OnboardingError(status: bytes[1]))))
    }
    guard let hint = target?.hint else { return disconnect(.finish(.failure(.keyedOrLocked))) }
    do throws(OnboardingRejection) {
      let offer = try app.receive(response: bytes.span)
      let seconds = UInt32(clamping: now.unixMilliseconds / 1000)
      var device = Device(
        uuid: offer.uuid, masterKey: offer.masterKey,
        onboardingTimestamp: Timestamp(unixMilliseconds: 1000 * Int64(seconds)),
        name: request.name ?? offer.uuid.description, isUnauthenticated: request.code == nil)
      device.firmware = offer.firmware
      let record = PendingOnboarding(device: device, hint: hint)
      phase = .storing(offer, record)
      return .store(record)
    } catch {
      return disconnect(
        .finish(.failure(OnboardingError(response: error, hasCode: request.code != nil))))
    }
  }

  /// From here on the tracker may have the keys.
  private mutating func sendFinish(
    _ offer: OnboardingOffer, _ record: PendingOnboarding
  ) -> OnboardingAction {
    pending.append(record)
    current = record.device.uuid
    lostAt = nil
    do throws(OnboardingRejection) {
      let finish = try offer.finish(unixTime: record.device.onboardingSeconds)
      phase = .finishing(offer)
      tell(.finishing)
      return .write(finish)
    } catch {
      return disconnect(.finish(.failure(OnboardingError(response: error, hasCode: true))))
    }
  }

  private mutating func take(done bytes: [UInt8], _ offer: OnboardingOffer) -> OnboardingAction {
    do throws(OnboardingRejection) {
      try offer.verify(done: bytes.span)
      return promote(offer.uuid)
    } catch {
      // Anybody can have said so: only the tracker itself, heard again, tells what it did.
      if case .status(let code) = error {
        finalFailure = OnboardingError(status: code)
      } else {
        finalFailure = OnboardingError(malformed: "last message", error)
      }
      tell(.resolving)
      return disconnect(.again(.zero))
    }
  }

  private mutating func retreat(after error: GATTError) -> OnboardingAction {
    let failure = OnboardingError(error)
    lastFailure = failure
    // It is to be heard again; it may show itself at another address by then.
    candidates.removeAll { $0.peer == target?.peer }
    if current != nil {
      guard error.kind != .adapterLost else {
        return disconnect(.finish(.failure(.unresolved(failure))))
      }
      tell(.resolving)
      return disconnect(.again(.zero))
    }
    guard error.isPassing, attempts < OnboardingMachine.attemptLimit else {
      return disconnect(.finish(.failure(failure)))
    }
    let pauses = OnboardingMachine.pauses
    return disconnect(.again(pauses[min(attempts, pauses.count) - 1]))
  }
}
