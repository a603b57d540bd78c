import Bluetooth

/// A client that alters the finish, message 4, on its way.
final class AlteringClient: GATTClient {
  private let inner: any GATTClient

  init(_ inner: any GATTClient) { self.inner = inner }

  func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    AlteringConnection(try await inner.connect(to: peer, limits, progress: progress))
  }

  func close() async { await inner.close() }
}

private final class AlteringConnection: GATTConnection {
  private let inner: any GATTConnection

  init(_ inner: any GATTConnection) { self.inner = inner }

  var characteristics: [GATTCharacteristic] { get async { await inner.characteristics } }
  var mtu: Int? { get async { await inner.mtu } }
  func limitOperations(to limit: Duration) async { await inner.limitOperations(to: limit) }
  func read(_ characteristic: GATTCharacteristic) async throws(GATTError) -> [UInt8] {
    try await inner.read(characteristic)
  }
  func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic, _ kind: GATTWriteKind
  ) async throws(GATTError) {
    var value = value
    if value.first == 3, value.count == 41 { value[40] ^= 1 }
    try await inner.write(value, to: characteristic, kind)
  }
  func subscribe(to characteristic: GATTCharacteristic) async throws(GATTError) {
    try await inner.subscribe(to: characteristic)
  }
  func nextValue(
    of characteristic: GATTCharacteristic, within limit: Duration
  ) async throws(GATTError) -> [UInt8] {
    try await inner.nextValue(of: characteristic, within: limit)
  }
  func disconnect() async { await inner.disconnect() }
}
