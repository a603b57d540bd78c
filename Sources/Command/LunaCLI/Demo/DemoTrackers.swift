import Bluetooth
import Luna
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaLocal
import LunaOnboarder
import LunaProtocol
import LunaTracker
import TrackerMachine
import TrackerSimulation

/// Two trackers in software, fresh out of the box, that are made somebody's own.
struct DemoTrackers: Sendable {
  static let names = ["Wallet", "Camera"]
  /// What chance decides in the simulated room.
  static let seed: UInt64 = 7

  let state: String
  let clock: DemoClock
  let printer: DemoPrinter
  private let codes: [OnboardingCode]

  init(state: String, clock: DemoClock, _ printer: DemoPrinter) throws {
    self.state = state
    self.clock = clock
    self.printer = printer
    var codes: [OnboardingCode] = []
    for name in DemoTrackers.names {
      guard let code = OnboardingCode(try SecureRandom.secret(count: OnboardingCode.byteCount))
      else { throw CommandFailure(.lost, "the random number generator failed") }
      try TrackerFlash(name: name, state: state).create(
        FlashImage(record: TrackerRecord(code: code)))
      codes.append(code)
    }
    self.codes = codes
  }

  /// A room with them in it, and with the trackers of others.
  func room() throws -> TrackerRoom {
    let room = try TrackerRoom(seed: DemoTrackers.seed, clock: clock) { [printer] news in
      guard DemoTrackers.names.contains(news.tracker) else { return }
      if case .sound(let seconds?) = news.event {
        printer.aside("sound", "\(news.tracker) sounds, for \(seconds) s") { writer in
          writer.string("name", news.tracker)
          writer.integer("seconds", Int64(seconds))
        }
      }
    }
    for name in DemoTrackers.names { try room.add(TrackerFlash(name: name, state: state)) }
    return room
  }

  /// A room with those of a directory in it, and with the trackers of others.
  static func room(in state: String, clock: any Clock<Duration>) throws -> TrackerRoom {
    let room = try TrackerRoom(seed: seed, clock: clock)
    for name in names { try room.add(TrackerFlash(name: name, state: state)) }
    return room
  }

  /// Onboards both: with the code on the label, after a press of the button.
  ///
  /// - Parameter settings: the owner's; the radio is replaced.
  func onboard(_ settings: LunaSettings, _ stage: DemoStage) async throws {
    let room = try room()
    stage.atEnd { room.cutPower() }
    var settings = settings
    settings.radio = DemoRadio(room: room, clock: clock)
    let luna = Luna(settings)
    let local = luna.local()
    stage.atEnd { await local.stop() }
    local.startScanning()
    for (name, code) in zip(DemoTrackers.names, codes) {
      try await waitForAir(local)
      // It accepts connections once in 64 s, and for a minute after its button was pressed.
      await room.send(.buttonDown, to: name)
      await room.send(.buttonUp, to: name)
      let device = try await luna.onboarder().onboard(OnboardingRequest(code: code, name: name))
      try printer.tell("onboarded", "\(name): keys agreed, yours from now on") { writer in
        writer.string("device", device.uuid.description.uppercased())
        writer.string("name", name)
      }
    }
    await local.stop()
    room.cutPower()
  }

  /// Waits until the room is open and something was heard.
  private func waitForAir(_ local: LunaLocal) async throws {
    let bell = Bell()
    local.tell(bell)
    let end = ContinuousClock.now + .seconds(10)
    while local.devices.isEmpty, .now < end {
      await bell.wait(for: end - .now)
      try Task.checkCancellation()
    }
  }
}
