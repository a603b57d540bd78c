import Bluetooth
import Diagnosis
import EventLoop
import HCIHost
import SystemBus

/// What can be done once the connection is there.
extension DaemonConnection {
  func limitOperations(to limit: Duration) { operationLimit = limit }

  var mtu: Int? {
    get async {
      guard end == nil, let object = characteristics.first.flatMap({ paths[$0.handle] }) else {
        return nil
      }
      // From BlueZ 5.62 on.
      let value = try? await bus.property(
        "MTU", of: DaemonPath.characteristic, at: object, on: DaemonScan.service)
      guard let mtu = value?.integer, ATTPDU.defaultMTU...Int(UInt16.max) ~= mtu else { return nil }
      return mtu
    }
  }

  func read(_ characteristic: GATTCharacteristic) async throws(GATTError) -> [UInt8] {
    await takeTurn()
    defer { operations.leave() }
    let object = try object(of: characteristic, for: "read")
    subscriptions[object]?.hold()
    do throws(GATTError) {
      let answer = try await call("ReadValue", object, [.dictionary([])], "read")
      guard let value = answer.first?.byteArray else {
        throw GATTError(.malformed, during: "read", "bluetoothd gave no value")
      }
      subscriptions[object]?.release(read: value)
      return value
    } catch {
      subscriptions[object]?.release(read: nil)
      throw error
    }
  }

  func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic, _ kind: GATTWriteKind
  ) async throws(GATTError) {
    await takeTurn()
    defer { operations.leave() }
    let object = try object(of: characteristic, for: "write")
    if kind == .withoutResponse, let mtu = await mtu, value.count > mtu - 3 {
      throw GATTError(
        .refused, during: "write",
        "\(value.count) octets do not fit into a write without response: the MTU is \(mtu)")
    }
    let type = kind == .withResponse ? "request" : "command"
    _ = try await call(
      "WriteValue", object, [.bytes(value), .properties(["type": .string(type)])], "write")
  }

  func subscribe(to characteristic: GATTCharacteristic) async throws(GATTError) {
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
      throw GATTError(
        .notFound, during: "subscribe",
        "the characteristic \(characteristic.uuid) has neither indications nor notifications")
    }
    await takeTurn()
    defer { operations.leave() }
    let object = try object(of: characteristic, for: "subscribe")
    guard subscriptions[object] == nil else { return }
    // Values may come before the answer.
    subscriptions[object] = ValueQueue(on: reactor)
    do throws(GATTError) {
      _ = try await call("StartNotify", object, [], "subscribe")
    } catch {
      subscriptions.removeValue(forKey: object)?.finish(error)
      throw error
    }
  }

  func valueQueue(of characteristic: GATTCharacteristic) -> ValueQueue? {
    paths[characteristic.handle].flatMap { subscriptions[$0] }
  }

  /// The characteristic's object, unless the connection has ended.
  private func object(
    of characteristic: GATTCharacteristic, for operation: String
  ) throws(GATTError) -> String {
    if let end { throw GATTError(end.kind, during: operation, end.reason) }
    guard let object = paths[characteristic.handle] else {
      throw GATTError(
        .notFound, during: operation, "the peer has no characteristic \(characteristic.uuid)")
    }
    return object
  }

  private func takeTurn() async {
    await withCheckedContinuation { operations.take($0) }
  }

  private func call(
    _ method: String, _ object: String, _ arguments: [BusValue], _ operation: String
  ) async throws(GATTError) -> [BusValue] {
    do throws(BusError) {
      return try await bus.call(
        DaemonScan.service, object, DaemonPath.characteristic, method, arguments,
        within: operationLimit)
    } catch {
      throw await explain(DaemonFault.operation(error, during: operation))
    }
  }

  /// The error of an operation, or what lies behind it: bluetoothd answers operations that the end
  /// of the connection has cut off with texts of its own, before it tells the end.
  private func explain(_ error: GATTError) async -> GATTError {
    switch error.kind {
    case .refused where error.attributeError != nil && error.attributeError != 0x0E: return error
    case .timedOut where end == nil:
      // The peer owes an answer, and takes no other request before it has given it (Core
      // Specification, Vol 3, Part F, 3.3.3).
      ended(.timedOut, "the peer gave no answer to an earlier operation in time")
      return error
    default: await settle(.seconds(1))
    }
    return end.map { GATTError($0.kind, during: error.operation, $0.reason) } ?? error
  }
}
