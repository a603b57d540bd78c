/// A connection to a peer whose services are known. One operation at a time; further ones wait.
public protocol GATTConnection: AnyObject, Sendable {
  /// What the peer offers, in the order of the handles.
  var characteristics: [GATTCharacteristic] { get async }

  /// The largest ATT PDU that both sides take, octets, 23 or more; nil where bluetoothd keeps it to
  /// itself.
  var mtu: Int? { get async }

  /// From now on an operation may take so long; until this is called for the first time, as long as
  /// ``GATTLimits/operation``. For who has a time for all of it together.
  func limitOperations(to limit: Duration) async

  /// The whole value of a characteristic; a long one is read piece by piece.
  ///
  /// - Throws: ``GATTError``.
  func read(_ characteristic: GATTCharacteristic) async throws(GATTError) -> [UInt8]

  /// Writes a value.
  ///
  /// - Throws: ``GATTError``.
  func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic, _ kind: GATTWriteKind
  ) async throws(GATTError)

  /// Asks for the indications, or else notifications, of a characteristic. From then on its values
  /// are kept for ``nextValue(of:within:)``, the last 64.
  ///
  /// - Throws: ``GATTError``; of kind `notFound` when it has neither.
  func subscribe(to characteristic: GATTCharacteristic) async throws(GATTError)

  /// The next value that the peer indicated or notified.
  ///
  /// - Throws: ``GATTError``; of kind `timedOut` when none comes in time. Values that came before the
  ///   connection ended are still delivered. Of kind `abortedLocally` when the task is cancelled;
  ///   the connection stays, and the value is for who asks next.
  func nextValue(
    of characteristic: GATTCharacteristic, within limit: Duration
  ) async throws(GATTError) -> [UInt8]

  /// Ends the connection; returns when the other side and the system know. Can be called more than
  /// once.
  func disconnect() async
}

extension GATTConnection {
  /// The first characteristic of this kind.
  ///
  /// - Throws: ``GATTError`` of kind `notFound`.
  public func characteristic(
    _ uuid: BluetoothUUID, of service: BluetoothUUID
  ) async throws(GATTError) -> GATTCharacteristic {
    let all = await characteristics
    if let match = all.first(where: { $0.uuid == uuid && $0.service == service }) { return match }
    let what =
      all.contains { $0.service == service }
      ? "the service \(service) has no characteristic \(uuid)" : "there is no service \(service)"
    throw GATTError(.notFound, during: "discover", what)
  }

  /// Writes a value and waits for the response.
  public func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic
  ) async throws(GATTError) {
    try await write(value, to: characteristic, .withResponse)
  }
}
