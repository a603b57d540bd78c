import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import LunaOnboarder
import LunaProtocol
import LunaTracker

/// Two trackers in software, fresh out of the box, that are made somebody's own.
struct DemoTrackers {
  static let names = ["Keys", "Bag"]
  /// What chance decides in the simulated room.
  static let seed: UInt64 = 7

  let state: String
  let printer: DemoPrinter
  private let codes: [OnboardingCode]

  init(state: String, _ printer: DemoPrinter) throws {
    self.state = state
    self.printer = printer
    var codes: [OnboardingCode] = []
    for name in DemoTrackers.names {
      guard let code = OnboardingCode(try SecureRandom.secret(count: OnboardingCode.byteCount))
      else { throw CommandFailure(.lost, "the generator of random bytes failed") }
      try TrackerFlash(name: name, state: state).create(
        FlashImage(record: TrackerRecord(code: code)))
      codes.append(code)
    }
    self.codes = codes
  }

  /// A room with them in it, and with the trackers of others.
  func room() throws -> TrackerRoom {
    let room = try TrackerRoom(seed: DemoTrackers.seed) { [printer] news in
      if case .sound(let seconds?) = news.event, DemoTrackers.names.contains(news.tracker) {
        printer.tell("(the tracker \(news.tracker) sounds for \(seconds) s)")
      }
    }
    for name in DemoTrackers.names { try room.add(TrackerFlash(name: name, state: state)) }
    return room
  }

  /// Onboards both: with the code on the label, after a press of the button.
  func onboard(to store: any DeviceStore & PendingStore) async throws {
    let room = try room()
    let radio = room.radio()
    let local = LunaLocal(store: store, logger: SilentLogger()) { radio.source }
    local.startScanning()
    let onboarder = LunaOnboarder(
      client: radio.client, nearby: local, store: store, logger: SilentLogger())
    for (name, code) in zip(DemoTrackers.names, codes) {
      // It accepts connections once in 64 s, and for a minute after its button was pressed.
      try await Task.sleep(for: .milliseconds(500))
      room.send(.buttonDown, to: name)
      room.send(.buttonUp, to: name)
      let device = try await onboarder.onboard(OnboardingRequest(code: code, name: name))
      printer.tell("\(name) is yours now: \(device.uuid)")
    }
    await radio.client.close()
    await local.stop()
    room.cutPower()
  }
}
