import Bluetooth
import Synchronization

/// The radio, the peer, and the connection that checks share as long as it holds.
actor Stage {
  nonisolated let radio: Radio
  nonisolated let peer: GATTPeer
  nonisolated let client: any GATTClient
  private var shared: (any GATTConnection)?
  private let hearing: Task<Void, Never>
  private let heard = Heard()

  /// Counts what the source delivers.
  private final class Heard: Sendable {
    private let count = Mutex(0)

    func add(_ number: Int) { count.withLock { $0 += number } }
    var total: Int { count.withLock { $0 } }
  }

  /// Whether bluetoothd decides between notifications and indications.
  nonisolated let usesDaemon: Bool

  init(_ radio: Radio, peer: BluetoothAddress, usesDaemon: Bool) async throws {
    self.radio = radio
    self.usesDaemon = usesDaemon
    self.peer = GATTPeer(peer, .random)
    client = radio.client
    try await radio.source.start()
    let heard = heard
    hearing = Task {
      while let batch = try? await radio.source.nextBatch() { heard.add(batch.count) }
    }
  }

  /// The connection that checks share, made when there is none.
  func connection() async throws -> any GATTConnection {
    if let shared { return shared }
    let connection = try await client.connect(
      to: peer, GATTLimits(connect: .seconds(60), operation: .seconds(60)))
    shared = connection
    return connection
  }

  /// Ends the shared connection.
  func disconnect() async {
    await shared?.disconnect()
    shared = nil
  }

  /// Forgets the shared connection, which has ended by itself.
  func forget() { shared = nil }

  /// A characteristic of the service that is tested.
  func characteristic(_ name: PeerContract.Name) async throws -> GATTCharacteristic {
    try await connection().characteristic(name.uuid, of: PeerContract.service)
  }

  func read(_ name: PeerContract.Name) async throws -> [UInt8] {
    try await connection().read(await characteristic(name))
  }

  func write(
    _ value: [UInt8], to name: PeerContract.Name, _ kind: GATTWriteKind = .withResponse
  ) async throws {
    try await connection().write(value, to: await characteristic(name), kind)
  }

  /// Has the peer do something.
  func command(_ command: PeerContract.Command) async throws {
    try await write(command.bytes, to: .control)
  }

  /// Has the peer do something, and waits until it has: what it sends comes before its answer that says so.
  func complete(_ command: PeerContract.Command) async throws {
    let before = try await state().obeyed
    try await self.command(command)
    repeat {
      try await Task.sleep(for: .milliseconds(100))
    } while try await state().obeyed == before
  }

  /// What the peer says of itself.
  func state() async throws -> PeerContract.State {
    let bytes = try await read(.state)
    guard let state = PeerContract.State(bytes) else { throw Failure("the state is \(bytes)") }
    return state
  }

  /// Subscribes, and takes what is left of earlier values.
  func subscribe(_ name: PeerContract.Name) async throws -> GATTCharacteristic {
    let characteristic = try await characteristic(name)
    let connection = try await connection()
    try await connection.subscribe(to: characteristic)
    while (try? await connection.nextValue(of: characteristic, within: .milliseconds(1))) != nil {}
    return characteristic
  }

  func next(
    _ characteristic: GATTCharacteristic, within limit: Duration = .seconds(30)
  ) async throws -> [UInt8] {
    try await connection().nextValue(of: characteristic, within: limit)
  }

  /// Waits until the source has delivered something new.
  func hears(within limit: Duration) async throws {
    let before = heard.total
    let end = ContinuousClock.now + limit
    while heard.total == before {
      try expect(.now < end, "the source delivered nothing within \(limit) after a connection")
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  func finish() async {
    await client.close()
    await radio.source.stop()
    await hearing.value
  }
}
