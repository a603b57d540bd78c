import Bluetooth
import EventLoop
import LunaTesting
import SystemBus
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct DaemonGATTClientTests {
  private static let peer = GATTPeer(BluetoothAddress(value: 0xE71A_0000_0001), .random)
  private static let power = BluetoothUUID.bit16(0x2A07)

  private let daemon: ScriptedBluetoothd
  private let client: DaemonGATTClient

  init() async throws {
    daemon = try await ScriptedBluetoothd()
    let address = daemon.address
    client = DaemonGATTClient(
      reactor: .shared, host: FakeKernel { $0.busAddress = address }, adapter: { 0 })
  }

  private func connect(_ limit: Duration = .seconds(600)) async throws -> any GATTConnection {
    try await client.connect(
      to: DaemonGATTClientTests.peer, GATTLimits(connect: limit, operation: .seconds(600)))
  }

  private func error(_ body: () async throws -> Void) async -> GATTError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? GATTError
    }
  }

  @Test func connectsReadsWritesAndIsForgotten() async throws {
    let connection = try await connect()
    let all = await connection.characteristics
    #expect(
      all == [
        GATTCharacteristic(
          service: .bit16(0x1804), uuid: DaemonGATTClientTests.power,
          properties: [.read, .write, .indicate], handle: 0x12)
      ])
    let power = try #require(all.first)
    #expect(await connection.mtu == 64)
    #expect(try await connection.read(power) == [1, 2, 3])
    try await connection.write([7], to: power)
    #expect(try await connection.read(power) == [7])
    try await connection.subscribe(to: power)
    await daemon.send([8])
    #expect(try await connection.read(power) == [7])
    #expect(try await connection.nextValue(of: power, within: .seconds(600)) == [8])
    await connection.disconnect()
    #expect(await error { _ = try await connection.read(power) }?.kind == .abortedLocally)
    #expect(
      daemon.counts
        == ScriptedBluetoothd.Counts(discoveries: 1, connects: 1, disconnects: 1, removals: 1))
    #expect(await !daemon.isKnown)
  }

  @Test(arguments: [BusValue.int64(.min), .int32(-1), .uint16(22), .uint64(1 << 40), .string("64")])
  func takesNoMTUThatCannotBe(_ mtu: BusValue) async throws {
    await daemon.set { $0.mtu = mtu }
    let connection = try await connect()
    #expect(await connection.mtu == nil)
    let power = try #require(await connection.characteristics.first)
    try await connection.write([7], to: power, .withoutResponse)
    await connection.disconnect()
  }

  @Test func needsNoDiscoveryWhenThePeerIsKnown() async throws {
    try await daemon.appear()
    await connectAndEnd()
    #expect(daemon.counts.discoveries == 0)
  }

  private func connectAndEnd() async {
    guard let connection = try? await connect() else {
      Issue.record("no connection")
      return
    }
    await connection.disconnect()
  }

  @Test func leavesWhatAPersonTrusts() async throws {
    await daemon.set { $0.isTrusted = true }
    await connectAndEnd()
    #expect(await daemon.isKnown)
    #expect(daemon.counts.disconnects == 1)
  }

  @Test func triesAgainWhatWasAborted() async throws {
    await daemon.set {
      $0.answers = [
        .fails("org.bluez.Error.Failed", "le-connection-abort-by-local"), .connectsAndAborts,
        .connects,
      ]
    }
    await connectAndEnd()
    #expect(daemon.counts.connects == 3)
  }

  @Test func waitsForServicesThatAreLate() async throws {
    await daemon.set { $0.emptyLookups = 3 }
    let connection = try await connect()
    #expect(await connection.characteristics.count == 1)
    await connection.disconnect()
  }

  @Test func givesUpWhatIsNotHeard() async throws {
    await daemon.set { $0.isHeard = false }
    // Until it has come as far as the discovery, however slow the machine is.
    var (limit, attempts) = (Duration.milliseconds(100), 0)
    repeat {
      limit *= 2
      attempts += 1
      let failure = await error { _ = try await connect(limit) }
      #expect(failure?.kind == .outOfRange)
    } while daemon.counts.discoveries == 0
    // One may come to bluetoothd when its attempt is over already.
    let counts = daemon.counts
    #expect((1...attempts).contains(counts.discoveries))
    #expect(counts == ScriptedBluetoothd.Counts(discoveries: counts.discoveries))
  }

  @Test func takesBackAnAttemptThatNobodyAnswers() async throws {
    await daemon.set { $0.answers = [.nothing] }
    // Until it has come as far as the connection, however slow the machine is.
    var (limit, attempts) = (Duration.seconds(1), 0)
    repeat {
      attempts += 1
      let failure = await error { _ = try await connect(limit) }
      #expect(failure?.kind == .outOfRange)
      limit *= 2
    } while daemon.counts.connects == 0
    // The next one waits until the first is taken back.
    await connectAndEnd()
    // An attempt that did not come as far may leave something to remove.
    #expect((2...attempts + 1).contains(daemon.counts.disconnects))
    #expect((2...attempts + 1).contains(daemon.counts.removals))
  }

  @Test func doesNotTakeOneAddressForAnother() async throws {
    await daemon.set { $0.type = "public" }
    #expect(await error { _ = try await connect() }?.kind == .refused)
    #expect(daemon.counts.connects == 0)
  }

  @Test func isBusyWithOneConnectionToAPeer() async throws {
    let connection = try await connect()
    #expect(await error { _ = try await connect() }?.kind == .busy)
    await connection.disconnect()
    await connectAndEnd()
  }

  @Test func noticesThatThePeerHasDisconnected() async throws {
    let connection = try await connect()
    let power = try #require(await connection.characteristics.first)
    try await connection.subscribe(to: power)
    await daemon.send([1])
    await daemon.setConnected(false)
    #expect(try await connection.nextValue(of: power, within: .seconds(600)) == [1])
    #expect(
      await error { _ = try await connection.nextValue(of: power, within: .seconds(600)) }?.kind
        == .abortedByPeer)
    // Nothing is left of it, although nobody has called disconnect.
    await connectAndEnd()
    #expect(daemon.counts.removals == 2)
  }

  @Test func namesTheEndBehindAnErrorThatBluetoothdMadeUp() async throws {
    let connection = try await connect()
    let power = try #require(await connection.characteristics.first)
    // It tells of the end a moment after the error.
    await daemon.set {
      $0.readError = ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e")
      $0.endsWithReadError = true
    }
    #expect(await error { _ = try await connection.read(power) }?.kind == .abortedByPeer)
    await client.close()
  }

  @Test func noticesThatTheAdapterIsOff() async throws {
    let connection = try await connect()
    let power = try #require(await connection.characteristics.first)
    try await connection.subscribe(to: power)
    await daemon.losePower()
    #expect(
      await error { _ = try await connection.nextValue(of: power, within: .seconds(600)) }?.kind
        == .adapterLost)
    await client.close()
  }

  @Test func noticesThatBluetoothdIsGone() async throws {
    let connection = try await connect()
    let power = try #require(await connection.characteristics.first)
    try await connection.subscribe(to: power)
    await daemon.end()
    #expect(
      await error { _ = try await connection.nextValue(of: power, within: .seconds(600)) }?.kind
        == .daemonRestarted)
    #expect(await error { _ = try await connection.read(power) }?.kind == .daemonRestarted)
    #expect(await error { _ = try await connect() }?.kind == .daemonRestarted)
    try await daemon.start()
    await connectAndEnd()
  }

  /// Any user may send a signal to a connection: neither values nor ends are made of that.
  @Test func doesNotBelieveStrangers() async throws {
    let connection = try await connect()
    let power = try #require(await connection.characteristics.first)
    try await connection.subscribe(to: power)
    let value = BusValue.properties(["Value": .bytes([66])])
    #expect(
      Stranger.send(
        [
          (
            ScriptedBluetoothd.characteristic, DaemonScan.propertiesInterface, "PropertiesChanged",
            [.string(DaemonPath.characteristic), value, .array([])]
          ),
          Stranger.end,
        ], at: daemon.address))
    await daemon.send([1])
    #expect(try await connection.nextValue(of: power, within: .seconds(600)) == [1])
    #expect(try await connection.read(power) == [1, 2, 3])
    await connection.disconnect()
  }

  @Test func noticesThatBluetoothdGoesWhileItConnects() async throws {
    await daemon.set { $0.answers = [.nothing] }
    async let failure = error { _ = try await connect() }
    try await daemon.counted.until { $0.connects > 0 }
    await daemon.end()
    #expect(await failure?.kind == .daemonRestarted)
  }

  @Test func endsAttemptsWhenItIsClosed() async throws {
    await daemon.set { $0.isHeard = false }
    async let failure = error { _ = try await connect() }
    try await daemon.counted.until { $0.discoveries > 0 }
    await client.close()
    #expect(await failure?.kind == .abortedLocally)
    #expect(await error { _ = try await connect() }?.kind == .abortedLocally)
  }
}
