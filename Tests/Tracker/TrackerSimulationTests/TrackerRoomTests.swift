import Bluetooth
import Foundation
import LunaCrypto
import LunaProtocol
import LunaTesting
import Synchronization
import Testing
import TrackerMachine

@testable import LunaTracker
@testable import TrackerSimulation

@Suite("Connections in the virtual room", .timeLimit(.minutes(10)))
struct TrackerRoomTests {
  private let folder = TestFolder()
  private var state: String { folder.path }

  /// A room with one tracker of a flash, opened.
  private func open(
    _ record: TrackerRecord, link: VirtualLinkSettings = .init(), time: ProtocolTime = .real,
    clock: any Clock<Duration> = JumpingClock(),
    tell: @escaping TrackerRoom.NewsHandler = { _ in }
  ) async throws -> (room: TrackerRoom, radio: Radio) {
    let flash = try TrackerFlash(name: "Keys", state: state)
    if try TrackerFlash.names(in: state).isEmpty { try flash.create(FlashImage(record: record)) }
    let room = try TrackerRoom(
      seed: 1, demoKinds: [], time: time, clock: clock, tell: tell)
    try room.add(flash)
    let radio = room.radio(link: link)
    try await radio.source.start()
    return (room, radio)
  }

  /// Listens until the tracker says that it takes connections.
  private func peer(_ radio: Radio) async throws -> GATTPeer { try await hear(radio).peer }

  /// The same, with the time of the room.
  private func hear(_ radio: Radio) async throws -> (peer: GATTPeer, time: Timestamp) {
    while let batch = try await radio.source.nextBatch() {
      for report in batch {
        let frame = report.payload.withBytes { try? LunaFrame(advertisingData: $0) }
        if frame?.isConnectable == true, report.pduType == .advInd {
          return (GATTPeer(report.address, report.addressType), report.time)
        }
      }
    }
    throw CancellationError()
  }

  private func characteristic(
    _ kind: TrackerCharacteristic, of connection: any GATTConnection
  ) async throws -> GATTCharacteristic {
    try await connection.characteristic(kind.uuid, of: kind.service)
  }

  /// Onboards by hand; the device that comes of it.
  private func onboard(_ radio: Radio) async throws -> OnboardingOffer {
    let (peer, time) = try await hear(radio)
    let connection = try await radio.client.connect(to: peer)
    let onboard = try await characteristic(.onboard, of: connection)
    try await connection.subscribe(to: onboard)
    let info = try await connection.read(try await characteristic(.info, of: connection))
    #expect(info.count == 54)
    let app = try AppOnboarding(
      info: info.span, code: TrackerSamples.code(), privateKey: try SecureRandom.secret(count: 32),
      nonce: try SecureRandom.bytes())
    try await connection.write(app.request.indices.map { app.request[$0] }, to: onboard)
    func answer(_ count: Int) async throws -> [UInt8] {
      let value = try await connection.nextValue(of: onboard, within: .seconds(5))
      return value.count == count ? value : try await connection.read(onboard)
    }
    let response = try await answer(53)
    let offer = try app.receive(response: response.span)
    try await connection.write(
      try offer.finish(unixTime: UInt32(clamping: time.microseconds / 1_000_000)), to: onboard)
    let done = try await answer(18)
    try offer.verify(done: done.span)
    await connection.disconnect()
    return offer
  }

  @Test("Onboarding works with every size of PDU", arguments: [23, 24, 64, 247, 517])
  func onboards(mtu: Int) async throws {
    let (room, radio) = try await open(
      TrackerSamples.factory(), link: VirtualLinkSettings(mtu: mtu))
    let offer = try await onboard(radio)
    #expect(room.record(of: "Keys")?.ownership?.masterKey == offer.masterKey)
    await radio.source.stop()
  }

  @Test("What was onboarded stays so in the next room, and nobody else runs it meanwhile")
  func lasts() async throws {
    let (room, radio) = try await open(TrackerSamples.factory())
    let offer = try await onboard(radio)
    let flash = try TrackerFlash(name: "Keys", state: state)
    #expect(throws: TrackerError.self) { try flash.lock() }
    await radio.source.stop()
    room.cutPower()
    let image = try flash.load()
    #expect(image.record.ownership?.uuid == offer.uuid)
    // Its clock is behind by what a second was cut by, and by the messages before.
    #expect((-2000...0).contains(image.clockOffset), "\(image.clockOffset)")
    let (_, second) = try await open(TrackerSamples.factory())
    let address = try await peer(second)
    let connection = try await second.client.connect(to: address)
    let info = try await connection.read(try await characteristic(.info, of: connection))
    #expect(info[1] == OnboardingState.keyed.rawValue)
    await second.source.stop()
  }

  @Test("Another scan of the same room finds the trackers as they have become")
  func goesOnInTheNextScan() async throws {
    let (room, radio) = try await open(TrackerSamples.factory())
    let offer = try await onboard(radio)
    await radio.source.stop()
    let second = room.radio()
    try await second.source.start()
    #expect(room.record(of: "Keys")?.ownership?.masterKey == offer.masterKey)
    let connection = try await second.client.connect(to: try await peer(second))
    let info = try await connection.read(try await characteristic(.info, of: connection))
    #expect(info[1] == OnboardingState.keyed.rawValue)
    await second.source.stop()
    // Those of the seed as well.
    let seeded = try TrackerRoom(seed: 1, demoKinds: [.factory], clock: JumpingClock())
    let first = seeded.radio()
    try await first.source.start()
    let name = try #require(seeded.names.first)
    let before = seeded.record(of: name)
    let address = try await peer(first)
    await first.source.stop()
    let next = seeded.radio()
    try await next.source.start()
    #expect(seeded.record(of: name) == before)
    #expect(try await peer(next).address == address.address)
    await next.source.stop()
  }

  @Test("An owner makes it sound, and gets a receipt; the sound ends by itself")
  func sound() async throws {
    let news = Mutex<[String]>([])
    let time = ProtocolTime.real
    let (_, radio) = try await open(
      TrackerSamples.keyed(at: UInt32(HostClock.real / 1000)), time: time
    ) {
      event in news.withLock { $0.append("\(event.event)") }
    }
    let connection = try await radio.client.connect(to: try await peer(radio))
    let control = try await characteristic(.control, of: connection)
    try await connection.subscribe(to: control)
    let bytes = try await connection.read(try await characteristic(.challenge, of: connection))
    let read = ControlChallenge(bytes.span)
    let challenge = try #require(read)
    var schedule = try KeySchedule()
    var authenticator = try ControlAuthenticator()
    let keys = schedule.keys(of: TrackerSamples.masterKey)
    let package = try authenticator.interactivePackage(
      .buzzStart, argument: 2, counter: 7, challenge: challenge, keys: keys)
    try await connection.write(package.bytes.indices.map { package.bytes[$0] }, to: control)
    let receipt = try await connection.nextValue(of: control, within: .seconds(5))
    let verified = try authenticator.verify(receipt.span, for: package, keys: keys)
    #expect(verified.status == .done)
    // Nobody listens to the air meanwhile.
    await #expect(throws: GATTError.self) {
      try await connection.nextValue(of: control, within: .seconds(3))
    }
    #expect(news.withLock { $0 } == ["sound(seconds: Optional(2))", "sound(seconds: nil)"])
  }

  @Test("A tracker acts on a good package also when nobody subscribed; then it sends no receipt")
  func actsWithoutSubscription() async throws {
    let news = Mutex<[String]>([])
    let (_, radio) = try await open(TrackerSamples.keyed(at: UInt32(HostClock.real / 1000))) {
      event in news.withLock { $0.append("\(event.event)") }
    }
    let connection = try await radio.client.connect(to: try await peer(radio))
    let control = try await characteristic(.control, of: connection)
    let bytes = try await connection.read(try await characteristic(.challenge, of: connection))
    let read = ControlChallenge(bytes.span)
    var schedule = try KeySchedule()
    var authenticator = try ControlAuthenticator()
    let package = try authenticator.interactivePackage(
      .buzzStart, argument: 2, counter: 7, challenge: try #require(read),
      keys: schedule.keys(of: TrackerSamples.masterKey))
    try await connection.write(package.bytes.indices.map { package.bytes[$0] }, to: control)
    #expect(news.withLock { $0 } == ["sound(seconds: Optional(2))"])
    try await connection.subscribe(to: control)
    await #expect(throws: GATTError.self) {
      try await connection.nextValue(of: control, within: .seconds(1))
    }
  }

  @Test("It is not heard while somebody is connected, and is heard again afterwards")
  func isSilentWhileConnected() async throws {
    let (_, radio) = try await open(TrackerSamples.keyed(at: UInt32(HostClock.real / 1000)))
    let (peer, time) = try await hear(radio)
    let connection = try await radio.client.connect(to: peer)
    func count(until end: Int64) async throws -> Int {
      var count = 0
      while let batch = try await radio.source.nextBatch() {
        // What was on its way when it was connected to is let pass. Its address may change meanwhile.
        count += batch.count { report in
          report.time.microseconds > time.microseconds + 200_000
            && report.payload.withBytes { (try? LunaFrame(advertisingData: $0)) != nil }
        }
        if (batch.last?.time.microseconds ?? 0) > end { break }
      }
      return count
    }
    #expect(try await count(until: time.microseconds + 20_000_000) == 0)
    await connection.disconnect()
    #expect(try await count(until: time.microseconds + 40_000_000) > 10)
  }

  @Test("A tracker takes connections when it says so, at the address that it has now")
  func connectable() async throws {
    let (_, radio) = try await open(TrackerSamples.factory())
    let peer = try await peer(radio)
    let limits = GATTLimits(connect: .milliseconds(200))
    let patient = GATTLimits(connect: .seconds(60))
    await #expect(throws: GATTError.self) {
      _ = try await radio.client.connect(
        to: GATTPeer(BluetoothAddress(value: peer.address.value ^ 1), .random), limits)
    }
    await #expect(throws: GATTError.self) {
      _ = try await radio.client.connect(to: GATTPeer(peer.address, .public), limits)
    }
    let connection = try await radio.client.connect(to: peer, patient)
    // One link.
    await #expect(throws: GATTError.self) {
      _ = try await radio.client.connect(to: peer, limits)
    }
    await connection.disconnect()
    _ = try await radio.client.connect(to: peer, patient)
  }

  @Test("Who waits for a tracker gets it when another connection ends, however slowly time passes")
  func connectsAtTheEvent() async throws {
    let clock = HaltingClock()
    let (_, radio) = try await open(TrackerSamples.factory(), clock: clock)
    let peer = try await peer(radio)
    let first = try await radio.client.connect(to: peer, GATTLimits(connect: .seconds(60)))
    clock.halt()
    let second = Task { try await radio.client.connect(to: peer) }
    try await clock.sleepers.until { $0 > 0 }
    await first.disconnect()
    let next = try await second.value
    await next.disconnect()
  }

  @Test("Who waits for a tracker sleeps until it does something, or the time is over")
  func waitsWithoutLooking() async throws {
    let clock = HaltingClock()
    let (room, radio) = try await open(TrackerSamples.factory(), clock: clock)
    let peer = try await peer(radio)
    let first = try await radio.client.connect(to: peer, GATTLimits(connect: .seconds(60)))
    let before = (room.uptime, clock.sleepers.value)
    await #expect(throws: GATTError.self) {
      _ = try await radio.client.connect(to: peer, GATTLimits(connect: .seconds(10)))
    }
    #expect(room.uptime >= before.0 + 10_000)
    // Twenty a second, if it looked.
    #expect(clock.sleepers.value - before.1 < 50)
    await first.disconnect()
  }

  @Test("Errors are told as they are")
  func errors() async throws {
    let (room, radio) = try await open(TrackerSamples.factory())
    let connection = try await radio.client.connect(to: try await peer(radio))
    let control = try await characteristic(.control, of: connection)
    func kind(_ body: () async throws -> Void) async -> GATTError.Kind? {
      do {
        try await body()
        return nil
      } catch {
        return (error as? GATTError)?.kind
      }
    }
    #expect(await kind { _ = try await connection.read(control) } == .refused)
    let info = try await characteristic(.info, of: connection)
    #expect(await kind { try await connection.write([1], to: info) } == .refused)
    #expect(await kind { try await connection.subscribe(to: info) } == .notFound)
    let other = GATTCharacteristic(
      service: .bit16(0x1804), uuid: .bit16(0x2A08), properties: .read, handle: 3)
    #expect(await kind { _ = try await connection.read(other) } == .notFound)
    #expect(
      await kind { _ = try await connection.nextValue(of: control, within: .seconds(1)) }
        == .timedOut)
    // Three short answers end the connection; what was said before is still delivered.
    try await connection.subscribe(to: control)
    for _ in 0..<3 { try await connection.write([1], to: control) }
    for _ in 0..<3 {
      #expect(
        try await connection.nextValue(of: control, within: .seconds(1)) == [7, 0, 0, 0, 0])
    }
    #expect(
      await kind { _ = try await connection.nextValue(of: control, within: .seconds(1)) }
        == .abortedByPeer)
    #expect(await kind { _ = try await connection.read(info) } == .abortedByPeer)
    let again = try await radio.client.connect(to: try await peer(radio))
    room.cutPower()
    #expect(await kind { _ = try await again.read(info) } == .abortedByPeer)
  }

  @Test("Thirty idle seconds end a connection")
  func idle() async throws {
    let (_, radio) = try await open(TrackerSamples.factory())
    let connection = try await radio.client.connect(to: try await peer(radio))
    let onboard = try await characteristic(.onboard, of: connection)
    try await connection.subscribe(to: onboard)
    await #expect {
      try await connection.nextValue(of: onboard, within: .seconds(60))
    } throws: {
      ($0 as? GATTError)?.kind == .abortedByPeer
    }
  }

  @Test("What a test says goes wrong")
  func faults() async throws {
    let (_, radio) = try await open(TrackerSamples.factory())
    let client = FaultyGATTClient(radio.client, clock: JumpingClock()) { message in
      switch message.number {
      case 2: .garbage { $0.map { ~$0 } }
      case 3: .never(.seconds(1))
      case 4: .vanishAfter
      default: nil
      }
    }
    let connection = try await client.connect(to: try await peer(radio))
    let info = try await characteristic(.info, of: connection)
    #expect(try await connection.read(info)[0] == 0xFE)
    await #expect(throws: GATTError.self) { try await connection.read(info) }
    await #expect(throws: GATTError.self) { try await connection.read(info) }
    await #expect { try await connection.read(info) } throws: {
      ($0 as? GATTError)?.kind == .abortedLocally
    }
    #expect(client.messages.map(\.operation) == [.connect, .read, .read, .read, .read])
  }
}
