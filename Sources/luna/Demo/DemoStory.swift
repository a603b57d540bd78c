import LunaBackend
import LunaTracker
import Bluetooth
import LunaCore
import LunaOwner
import LunaProtocol
import LunaStore

/// The whole story on one machine: trackers, a gateway, a backend, and their owner.
struct DemoStory {
  let place: DemoPlace
  let printer: DemoPrinter
  let picture: String

  func run() async throws {
    let began = WallClock.system.now()
    let backend = DemoBackend(path: place.directory("backend.sqlite"))
    let (gatewayToken, ownerToken) = (
      try await backend.token(.gateway, "demo"), try await backend.token(.owner, "demo")
    )
    printer.step("A backend starts on loopback. It will store reports that it cannot read.")
    try await backend.start()

    printer.step("Two trackers in software, out of the box, get their owner.")
    let store = try SQLiteDeviceStore(in: StateDirectory(path: place.directory("owner")))
    let trackers = try DemoTrackers(state: place.directory("trackers"), printer)
    try await trackers.onboard(to: store)
    let owner = LunaOwner(store: store, backend: try backend.client(ownerToken))
    let devices = try await owner.allDevices()

    printer.step("A stranger's gateway is carried around, and hears them among others.")
    let room = try trackers.room()
    let gateway = DemoGateway(
      room: room, backend: backend, client: try backend.client(gatewayToken),
      state: place.directory("gateway"))
    guard try await gateway.waits(.seconds(60), until: { $0.uploaded >= 12 }) else {
      throw CommandFailure(.lost, "the gateway has uploaded nothing in a minute")
    }
    printer.tell("\(gateway.now.uploaded) sealed sightings are with the backend")

    printer.step("The backend goes away for ten seconds. The gateway keeps what it hears on disk.")
    await backend.stop()
    let before = gateway.now
    try await Task.sleep(for: .seconds(10))
    printer.tell("\(gateway.now.sightings - before.sightings) further sightings wait")
    try await backend.start()
    let heard = gateway.now.sightings
    guard try await gateway.waits(.seconds(60), until: { $0.uploaded >= heard }) else {
      throw CommandFailure(.backend, "not all sightings of the outage have arrived")
    }
    printer.tell("it is back, and all of them have arrived")

    printer.step("The owner, far away, lets \(DemoTrackers.names[0]) ring through any gateway.")
    try await buzz(devices[0], owner)

    printer.step("The owner fetches what gateways have reported, and opens it.")
    let counts = await gateway.stop()
    room.cutPower()
    try await show(devices, owner, from: began)
    printer.tell(
      "(\(counts.sightings) sightings in all: those of trackers of others only their owners open)")
    await backend.stop()
  }

  private func buzz(_ device: Device, _ owner: LunaOwner) async throws {
    var command = try await owner.sendRemotely(
      .buzzStart, argument: 3, to: device, from: WallClock.system.now(), lasting: .seconds(7200))
    printer.tell("packages for the coming hours are left at the backend; one will be executed")
    let end = ContinuousClock.now + .seconds(180)
    while !command.isFinal, ContinuousClock.now < end {
      try await Task.sleep(for: .seconds(1))
      let before = command.status.state
      command = try await owner.followed(command)
      if command.status.state != before, command.status.state == .offered {
        printer.tell("a gateway hears \(device.name); it accepts connections once in 64 s")
      }
    }
    guard command.isProven else {
      throw CommandFailure(
        .notFound, "the tracker has not rung: \(command.status.detail ?? "no answer")")
    }
    printer.tell("it rang: the receipt is the tracker's own, and verifies")
  }

  private func show(_ devices: [Device], _ owner: LunaOwner, from began: Timestamp) async throws {
    for device in devices {
      let found = try await owner.findEvents(
        device: device, dateFrom: Timestamp(microseconds: began.microseconds - 1_000_000),
        dateTo: Timestamp(microseconds: WallClock.system.now().microseconds + 1_000_000))
      guard let last = found.events.last else {
        throw CommandFailure(.notFound, "there are no events of \(device.name)")
      }
      printer.tell(
        "\(device.name): \(found.summary); last at \(DecimalText.degrees(last.latitude)), "
          + DecimalText.degrees(last.longitude))
      if device.name == DemoTrackers.names[0] {
        try SecretFile.write(
          Array(EventExport.svg.text(found.events, name: device.name).utf8), to: picture)
        printer.tell("the way of \(device.name) is drawn in \(picture)")
      }
    }
  }
}

extension DecimalText {
  /// A coordinate in degrees, to a metre.
  fileprivate static func degrees(_ value: Double) -> String {
    text(Int64((value * 1e5).rounded()), digits: 5)
  }
}
