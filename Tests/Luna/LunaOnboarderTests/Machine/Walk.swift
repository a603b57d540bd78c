import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol
import Testing

@testable import LunaOnboarder

/// A machine on its way through an onboarding, with a tracker that answers.
struct Walk {
  /// The actions of an onboarding, in their order.
  enum Step: Int, CaseIterable, Comparable, Sendable {
    case listen, connect, subscribe, readInfo, writeRequest, receiveResponse, store, writeFinish,
      receiveDone, promote

    static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
  }

  static let peer = GATTPeer(BluetoothAddress(value: 0xC0FF_EE00_0001), .random)
  static let start = Timestamp(microseconds: 1_795_000_000_000_000)
  static let code = World.code

  var machine: OnboardingMachine
  var action: OnboardingAction
  var elapsed = Duration.zero
  private let tracker: TrackerOnboarding
  private let code: OnboardingCode
  private var confirmation: TrackerConfirmation?
  private var answer: [UInt8] = []

  init(
    _ request: OnboardingRequest? = nil, pending: [PendingOnboarding] = [],
    limits: OnboardingLimits = OnboardingLimits()
  ) throws {
    code = Walk.code
    tracker = try TrackerOnboarding(
      state: .factory, capabilities: .buzzer,
      privateKey: SecretBytes(copying: [UInt8](repeating: 9, count: 32).span),
      nonce: InlineArray(repeating: 8))
    machine = try OnboardingMachine(
      request ?? OnboardingRequest(.address(Walk.peer.address), code: code, name: "Keys"),
      limits: limits, pending: pending)
    action = machine.start()
  }

  var hint: ESF { get throws { try code.factoryHint() } }

  var now: Timestamp {
    Timestamp(microseconds: Walk.start.microseconds + elapsed.components.seconds * 1_000_000)
  }

  @discardableResult
  mutating func send(_ input: OnboardingInput) -> OnboardingAction {
    action = machine.handle(input, at: elapsed, now: now)
    return action
  }

  func sighting(_ isConnectable: Bool = true) throws -> OnboardingSighting {
    OnboardingSighting(Walk.peer, isConnectable: isConnectable, .factory(hint: try hint))
  }

  /// Goes on until `step` is what is to be done.
  mutating func go(to step: Step) throws {
    while try current() < step { try answerAction() }
  }

  /// What is to be done.
  func current() throws -> Step {
    switch action {
    case .listen: return .listen
    case .connect: return .connect
    case .subscribe: return .subscribe
    case .readInfo: return .readInfo
    case .write(let bytes): return bytes[0] == 1 ? .writeRequest : .writeFinish
    case .receive: return answer.first == 2 ? .receiveResponse : .receiveDone
    case .store: return .store
    case .promote: return .promote
    default: throw OnboardingError(.malformed, "not on the way: \(action)")
    }
  }

  /// The tracker, or the store, answers.
  private mutating func answerAction() throws {
    switch try current() {
    case .listen: send(.heard([try sighting()]))
    case .connect: send(.connected(canOnboard: true, canControl: true))
    case .subscribe: send(.subscribed)
    case .readInfo:
      send(
        .info(
          tracker.info.indices.map { tracker.info[$0] },
          privateKey: SecretBytes(copying: [UInt8](repeating: 7, count: 32).span),
          nonce: InlineArray(repeating: 6)))
    case .writeRequest:
      guard case .write(let bytes) = action else { return }
      let situation = TrackerOnboarding.Situation(
        state: .factory, isOpen: true, code: code, uuid: DeviceUUID(high: 1, low: 2),
        firmware: 0x0100, battery: .normal)
      if case .response(let message, let confirmation) = try tracker.answer(
        request: bytes.span, in: situation)
      {
        answer = message
        self.confirmation = confirmation
      }
      send(.written)
    case .receiveResponse: send(.message(answer))
    case .store: send(.stored)
    case .writeFinish:
      guard case .write(let bytes) = action else { return }
      if case .done(let message, _, _)? = try confirmation?.conclude(finish: bytes.span) {
        answer = message
      }
      send(.written)
    case .receiveDone: send(.message(answer))
    case .promote: return
    }
  }

  /// Whether an action ends it, and how.
  var failure: OnboardingError.Kind? {
    if case .finish(.failure(let error)) = action { error.kind } else { nil }
  }

  var isDisconnecting: Bool { if case .disconnect = action { true } else { false } }

  var isListening: Bool { if case .listen = action { true } else { false } }
}
