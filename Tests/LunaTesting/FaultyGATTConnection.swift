import Bluetooth

/// A connection of a ``FaultyGATTClient``.
final class FaultyGATTConnection: GATTConnection {
  private let inner: any GATTConnection
  private let client: FaultyGATTClient

  init(_ inner: any GATTConnection, _ client: FaultyGATTClient) {
    self.inner = inner
    self.client = client
  }

  var characteristics: [GATTCharacteristic] { get async { await inner.characteristics } }

  var mtu: Int? { get async { await inner.mtu } }

  func limitOperations(to limit: Duration) async { await inner.limitOperations(to: limit) }

  func read(_ characteristic: GATTCharacteristic) async throws(GATTError) -> [UInt8] {
    try await client.perform(.read, ending: inner) { () async throws(GATTError) in
      try await inner.read(characteristic)
    }
  }

  func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic, _ kind: GATTWriteKind
  ) async throws(GATTError) {
    try await client.perform(.write, ending: inner) { () async throws(GATTError) in
      try await inner.write(value, to: characteristic, kind)
    }
  }

  func subscribe(to characteristic: GATTCharacteristic) async throws(GATTError) {
    try await client.perform(.subscribe, ending: inner) { () async throws(GATTError) in
      try await inner.subscribe(to: characteristic)
    }
  }

  func nextValue(
    of characteristic: GATTCharacteristic, within limit: Duration
  ) async throws(GATTError) -> [UInt8] {
    try await client.perform(.indication, ending: inner) { () async throws(GATTError) in
      try await inner.nextValue(of: characteristic, within: limit)
    }
  }

  func disconnect() async { await inner.disconnect() }
}
