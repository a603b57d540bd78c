import Bluetooth
import HCIHost
import LunaTesting

@testable import BlueZ

/// A radio on a ``FakeController``, whose source is being read.
final class FakeRadio: Sendable {
  let controller = FakeController()
  let radio: Radio
  private let heard = Watched(0)
  /// What the source has told of itself.
  let told = Watched<[SourceState]>([])

  /// The limits that the tests go by: only what never ends runs into them.
  static let limits = GATTLimits(connect: .seconds(300), operation: .seconds(300))

  init() async throws {
    radio = try makeRadio(.h4(.path(controller.path)))
    let states = radio.source.states
    try await radio.source.start()
    Task { [self] in
      while let batch = try? await radio.source.nextBatch() {
        heard.withLock { $0 += batch.count }
      }
    }
    Task { [self] in for await state in states { told.withLock { $0.append(state) } } }
  }

  func connect(_ limits: GATTLimits = FakeRadio.limits) async throws -> any GATTConnection {
    try await radio.client.connect(to: FakeController.peer, limits)
  }

  /// What the source has told of itself.
  var states: [SourceState] { told.value }

  /// Waits until the source delivers.
  func hears() async throws {
    let before = heard.value
    try await heard.until { $0 > before }
  }

  /// Whether everything works: scan, connection, scan.
  func isWell() async throws -> Bool {
    let connection = try await connect()
    let store = try await connection.characteristic(.bit16(0xFFF1), of: .bit16(0xFFF0))
    let value = Array("well".utf8)
    try await connection.write(value, to: store)
    let isRead = try await connection.read(store) == value
    await connection.disconnect()
    try await hears()
    return isRead
  }

  func stop() async {
    await radio.client.close()
    await radio.source.stop()
    controller.stop()
  }
}

/// Runs `body` with a radio.
func withFakeRadio(_ body: (FakeRadio) async throws -> Void) async throws {
  let radio = try await FakeRadio()
  do { try await body(radio) } catch {
    await radio.stop()
    throw error
  }
  await radio.stop()
}

/// The error that `body` throws, and how long it took.
func failure(
  _ body: () async throws -> Void
) async throws -> (kind: GATTError.Kind?, seconds: Double) {
  let start = ContinuousClock.now
  var kind: GATTError.Kind?
  do { try await body() } catch let error as GATTError { kind = error.kind }
  return (kind, (ContinuousClock.now - start) / .seconds(1))
}
