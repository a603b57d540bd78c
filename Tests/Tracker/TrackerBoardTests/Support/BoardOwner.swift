import LunaCrypto
import LunaProtocol
import LunaTesting
import TrackerBoard
import TrackerMachine

/// The owner of a board, who onboards it and commands it over its controller. Handles: 12 Info, 14 Onboard, 19 Control,
/// each indicated value with its configuration behind it.
struct BoardOwner {
  private static let info: UInt8 = 12
  private static let onboard: UInt8 = 14
  private static let control: UInt8 = 19

  private let script: BoardScript
  private(set) var masterKey: MasterKey
  /// The counter of the command that was issued last.
  private(set) var issued: UInt32 = TrackerSamples.time

  init(_ script: BoardScript, masterKey: MasterKey = TrackerSamples.masterKey) {
    self.script = script
    self.masterKey = masterKey
  }

  /// The steps of an onboarding.
  enum Step: Int, CaseIterable {
    case connect, agreeOnSize, readInfo, subscribe, request, confirm, finish
  }

  /// Onboards a tracker with the code of its label, up to and with a step.
  ///
  /// - Returns: whether the tracker says that it is done; its key is that of this owner from the last step but one on.
  mutating func onboard(upTo last: Step, code: OnboardingCode) throws -> Bool {
    script.connect()
    guard last.rawValue >= Step.agreeOnSize.rawValue else { return false }
    script.ask([0x02, 64, 0])
    guard last.rawValue >= Step.readInfo.rawValue else { return false }
    let info = Array((script.ask([0x0A, BoardOwner.info, 0]).first ?? []).dropFirst())
    let app = try AppOnboarding(
      info: info.span, code: code, privateKey: try SecureRandom.secret(count: 32),
      nonce: try SecureRandom.bytes())
    guard last.rawValue >= Step.subscribe.rawValue else { return false }
    script.ask([0x12, BoardOwner.onboard + 1, 0, 2, 0])
    guard last.rawValue >= Step.request.rawValue else { return false }
    let request = app.request.indices.map { app.request[$0] }
    let response = indication(write(BoardOwner.onboard, request))
    let offer = try app.receive(response: response.span)
    masterKey = offer.masterKey
    guard last.rawValue >= Step.confirm.rawValue else { return false }
    script.ask([0x1E])
    guard last.rawValue >= Step.finish.rawValue else { return false }
    let finish = try offer.finish(unixTime: TrackerSamples.time)
    let done = indication(write(BoardOwner.onboard, finish))
    guard !done.isEmpty else { return false }
    try offer.verify(done: done.span)
    return true
  }

  /// Commands the tracker in a connection of its own.
  ///
  /// - Returns: what the receipt says; nil where none came.
  mutating func command(
    _ command: ControlCommand, argument: UInt16 = 0
  ) throws -> ControlStatus? {
    guard let period = script.board.machine.period else { return nil }
    issued += 1
    var schedule = try KeySchedule()
    let keys = schedule.keys(of: masterKey)
    var authenticator = try ControlAuthenticator()
    let package = try authenticator.deferredPackage(
      command, argument: argument, counter: issued, period: period, keys: keys)
    script.connect()
    script.ask([0x02, 64, 0])
    script.ask([0x12, BoardOwner.control + 1, 0, 2, 0])
    let bytes = package.bytes.indices.map { package.bytes[$0] }
    let receipt = indication(write(BoardOwner.control, bytes))
    script.leave()
    guard receipt.count == Receipt.byteCount else { return nil }
    return try authenticator.verify(receipt.span, for: package, keys: keys).status
  }

  private func write(_ handle: UInt8, _ value: [UInt8]) -> [[UInt8]] {
    script.ask([0x12, handle, 0] + value)
  }

  /// The value that was indicated; empty where none was.
  private func indication(_ pdus: [[UInt8]]) -> [UInt8] {
    Array((pdus.first { $0.first == 0x1D } ?? []).dropFirst(3))
  }
}
