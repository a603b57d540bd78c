import Bluetooth
import Luna
import LunaBackend
import LunaBuzzer
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaFinder
import LunaOnboarder
import LunaOwner
import LunaProtocol
import LunaStore
import SafeText
import TrackerSimulation

/// The whole story on one machine: trackers, a gateway, a backend, and their owner.
struct DemoStory: Sendable {
  let place: DemoPlace
  let picture: DemoPicture
  let clock: DemoClock
  let printer: DemoPrinter
  private let stage = DemoStage()

  init(place: DemoPlace, picture: DemoPicture, clock: DemoClock, printer: DemoPrinter) {
    self.place = place
    self.picture = picture
    self.clock = clock
    self.printer = printer
  }

  /// Tells it, and puts everything away however it ends.
  func run() async throws {
    do {
      try await tell()
    } catch {
      await stage.clear()
      throw error
    }
    await stage.clear()
  }

  private func tell() async throws {
    try printer.begin(source: "virtual:\(DemoTrackers.seed)")
    let backend = DemoBackend(path: place.directory("backend.sqlite"), clock: clock.wall)
    let tokens = (
      gateway: try await backend.token(.gateway, "demo"),
      owner: try await backend.token(.owner, "demo")
    )
    stage.atEnd { await backend.stop() }
    try await backend.start()
    try printer.step(
      "backend",
      "A backend serves on \(backend.address). It keeps sealed reports that it cannot read.")

    try printer.step("onboarding", "Two software trackers, fresh out of the box, get an owner.")
    var owning = settings("owner")
    owning.backend = "http://\(backend.address)"
    owning.ownerToken = .token(tokens.owner)
    let trackers = try DemoTrackers(state: place.directory("trackers"), clock: clock, printer)
    try await trackers.onboard(owning, stage)
    let owner = Luna(owning).owner()
    let devices = try await owner.allDevices()

    try printer.step(
      "sightings", "They go for a ride. A stranger with a gateway happens to go the same way.")
    let room = try trackers.room()
    stage.atEnd { room.cutPower() }
    let began = clock.now
    let gateway = makeGateway(room, backend, tokens.gateway, began)
    stage.atEnd { await gateway.stop() }
    for minute in [3.0, 6, 8] {
      try await ride(until: minute / 23, began)
      let tally = gateway.now
      try count("upload", tally, "\(tally.found) sightings sealed, \(tally.uploaded) uploaded")
    }

    try await outage(backend, gateway, began)
    try await buzz(devices[0], owner)
    try await ride(until: 1, began)

    // What waits is uploaded before the gateway ends.
    let tally = await gateway.stop()
    try count("upload", tally, "the ride is over; \(tally.uploaded) sightings are uploaded")
    room.cutPower()
    try await show(devices, owner, tally)
  }

  /// Settings of one who takes part.
  private func settings(_ name: String) -> LunaSettings {
    var settings = LunaSettings()
    settings.state = StateDirectory(path: place.directory(name))
    settings.clock = clock.wall
    settings.logger = SilentLogger()
    // For loopback no proxy is wanted, whatever the environment says.
    settings.client.proxy = "-"
    // A busy machine must not look like a tracker that does not answer: these limits are on real time.
    let patience = Duration.seconds(10 * clock.speed)
    settings.buzzerLimits = BuzzerLimits(
      connect: .seconds(60), operation: patience, answer: patience)
    settings.onboardingLimits = OnboardingLimits(
      wait: patience * 3, connect: patience, operation: patience, answer: patience,
      resolution: patience * 3)
    return settings
  }

  private func makeGateway(
    _ room: TrackerRoom, _ backend: DemoBackend, _ token: SecretBytes, _ began: DemoClock.Instant
  ) -> DemoGateway {
    var settings = settings("gateway")
    settings.gatewayToken = .token(token)
    settings.radio = DemoRadio(room: room, clock: clock)
    settings.location = DemoWalk(clock: clock.wall) { [clock] in
      began.duration(to: clock.now) / .seconds(1)
    }
    return DemoGateway(settings, backend: "http://\(backend.address)") { [printer] update in
      switch update {
      case .commandStarted:
        printer.aside(
          "command", "the gateway hears the tracker, and waits until it accepts connections"
        ) { $0.string("event", "started") }
      case .commandEnded(_, _, let outcome) where outcome.kind != .done:
        printer.aside("command", "that did not work; trying again") { writer in
          writer.string("event", outcome.kind.rawValue)
          if let detail = outcome.detail { writer.string("detail", detail) }
        }
      case .dropped(let reason, let count):
        let what = "\(DropReason.noun(reason))s"
        printer.aside("dropped", "\(count) \(what) are lost: \(reason)") { writer in
          writer.string("reason", reason)
          writer.integer("count", Int64(count))
        }
      case .problem(let error): printer.aside("problem", "the gateway: \(error)")
      default: break
      }
    }
  }

  /// Waits until a share of the ride is over.
  private func ride(until share: Double, _ began: DemoClock.Instant) async throws {
    try await clock.sleep(
      until: began.advanced(by: .seconds(share * DemoWalk.duration)), tolerance: nil)
  }

  private func count(
    _ type: StaticString, _ tally: DemoGateway.Tally, _ text: String
  ) throws {
    try printer.tell(type, text) { writer in
      writer.integer("sightings", Int64(tally.found))
      writer.integer("uploaded", Int64(tally.uploaded))
    }
  }

  private func outage(
    _ backend: DemoBackend, _ gateway: DemoGateway, _ began: DemoClock.Instant
  ) async throws {
    try printer.step(
      "outage", "The backend fails. The gateway carries on, and keeps what it hears on disk.")
    await backend.stop()
    for minute in [11.0, 14] {
      try await ride(until: minute / 23, began)
      let tally = gateway.now
      try count("outage", tally, "\(tally.found - tally.uploaded) sightings are waiting")
    }
    try await backend.start()
    let found = gateway.now.found
    try printer.tell("recovery", "the backend is back")
    try await gateway.wait(for: "uploading what waited") { $0.uploaded + $0.lost >= found }
    let tally = gateway.now
    try count(
      "upload", tally,
      "it has all \(tally.uploaded) sightings; \(tally.failures) attempts had failed")
  }

  private func buzz(_ device: Device, _ owner: LunaOwner) async throws {
    try printer.step(
      "buzz", "The owner, far away, rings \(device.name) through any gateway that hears it.")
    var command = try await owner.sendRemotely(
      .buzzStart, argument: 5, to: device, from: clock.time, lasting: .seconds(6 * 3600))
    try printer.tell(
      "command", "\(command.packages.count) sealed packages are left at the backend, one per period"
    ) { writer in
      writer.string("event", "submitted")
      writer.integer("packages", Int64(command.packages.count))
    }
    let end = ContinuousClock.now + .seconds(120)
    while !command.isFinal, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(200))
      command = try await owner.followed(command)
    }
    guard command.isProven else {
      throw CommandFailure(
        .notFound,
        "the tracker has not rung: "
          + (command.status.detail?.description ?? "no gateway reached it"),
        hint: "the machine may be too busy; try a lower --speed")
    }
    try printer.tell("receipt", "its receipt came back, and only the tracker can have made it") {
      writer in
      writer.string("device", device.uuid.description.uppercased())
      writer.boolean("verified", true)
    }
  }

  private func show(
    _ devices: [Device], _ owner: LunaOwner, _ tally: DemoGateway.Tally
  ) async throws {
    try printer.step(
      "events", "The owner fetches the reports and opens them, with keys nobody else has.")
    for device in devices {
      let found = try await owner.findEvents(
        device: device, dateFrom: clock.start, dateTo: clock.time)
      let check = DemoCheck(found, of: tally)
      guard check.isComplete, let last = found.events.last else {
        throw CommandFailure(
          .notFound, "\(device.name): \(check.problem ?? "there are no events")")
      }
      try printer.tell("events", check.text(device.name)) { writer in
        writer.string("device", device.uuid.description.uppercased())
        writer.string("name", device.name)
        writer.integer("events", Int64(found.events.count))
        writer.integer("names", Int64(check.names))
        writer.decimal("latitude", Int64((last.latitude * 1e7).rounded()), digits: 7)
        writer.decimal("longitude", Int64((last.longitude * 1e7).rounded()), digits: 7)
      }
      guard device == devices.first else { continue }
      try picture.write(EventExport.svg.text(found.events, name: device.name))
    }
    guard tally.uploaded + tally.lost == tally.found else {
      throw CommandFailure(.notFound, "not all sightings have been uploaded")
    }
    try printer.tell("picture", "the track of \(devices[0].name) is drawn in \(picture.path)") {
      $0.string("file", picture.path)
    }
    try printer.tell(
      "summary",
      "\(tally.found) sightings, each stored once; those of other people's trackers stay sealed"
    ) { writer in
      writer.integer("sightings", Int64(tally.found))
      writer.integer("uploaded", Int64(tally.uploaded))
      writer.integer("lost", Int64(tally.lost))
    }
  }
}
