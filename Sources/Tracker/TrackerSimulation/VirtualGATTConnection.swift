import Bluetooth
import LunaProtocol
import Synchronization
import TrackerMachine

/// A connection to a tracker of a virtual room: the Attribute Protocol without its bytes.
final class VirtualGATTConnection: GATTConnection {
  /// What the opcodes, handles and offsets of PDUs take (Core Specification, Vol 3, Part F, 3.4).
  private static let readOverhead = 1
  private static let writeOverhead = 3
  private static let prepareOverhead = 5

  private let room: TrackerRoom
  private let body: VirtualBody
  private let link: VirtualLink
  private let settings: VirtualLinkSettings
  private let operationLimit: Mutex<Duration>
  private let offered: [GATTCharacteristic]

  init(
    _ room: TrackerRoom, _ body: VirtualBody, _ link: VirtualLink,
    _ settings: VirtualLinkSettings, _ limits: GATTLimits, hardware: TrackerHardware
  ) {
    self.room = room
    self.body = body
    self.link = link
    self.settings = settings
    operationLimit = Mutex(limits.operation)
    offered = VirtualGATTConnection.characteristics(of: hardware)
  }

  deinit {
    room.tell { [room, body, link] in body.disconnect(link, .abortedLocally, at: room.uptime) }
  }

  /// Whether it was not ended.
  var isOpen: Bool { link.ended == nil }

  /// Handles as a server would give them: service, declaration, value, configuration.
  private static func characteristics(of hardware: TrackerHardware) -> [GATTCharacteristic] {
    var handle: UInt16 = 0
    var service: BluetoothUUID?
    return TrackerCharacteristic.allCases.compactMap { kind in
      if kind == .nonOwnerSound, !hardware.capabilities.contains(.nonOwnerSound) { return nil }
      handle += kind.service == service ? 2 : 3
      service = kind.service
      defer { if kind.isWritable { handle += 1 } }
      var properties: GATTCharacteristic.Properties = []
      if kind.isReadable { properties.insert(.read) }
      if kind.isWritable { properties.formUnion([.write, .indicate]) }
      return GATTCharacteristic(
        service: kind.service, uuid: kind.uuid, properties: properties, handle: handle)
    }
  }

  var characteristics: [GATTCharacteristic] { offered }

  var mtu: Int? { settings.mtu }

  func limitOperations(to limit: Duration) async { operationLimit.withLock { $0 = limit } }

  func read(_ characteristic: GATTCharacteristic) async throws(GATTError) -> [UInt8] {
    let kind = try kind(of: characteristic, "read")
    let end = deadline
    var value: [UInt8] = []
    let size = settings.mtu - VirtualGATTConnection.readOverhead
    while true {
      let answer = try await exchange(.read(kind, offset: value.count), "read", before: end)
      guard case .value(let rest) = answer else { throw refusal(of: answer, "read") }
      let piece = rest.prefix(size)
      value += piece
      // A piece that does not fill the PDU is the last one.
      if piece.count < size || value.count >= 512 { return value }
    }
  }

  func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic, _ kind: GATTWriteKind
  ) async throws(GATTError) {
    guard kind == .withResponse else {
      throw GATTError(.refused, during: "write", "it takes no writes without response")
    }
    let tracker = try self.kind(of: characteristic, "write")
    let end = deadline
    if value.count > settings.mtu - VirtualGATTConnection.writeOverhead {
      let size = settings.mtu - VirtualGATTConnection.prepareOverhead
      for _ in 0..<(value.count + size - 1) / size { try await wait("write", before: end) }
    }
    let answer = try await exchange(.write(tracker, value), "write", before: end)
    guard case .written = answer else { throw refusal(of: answer, "write") }
  }

  func subscribe(to characteristic: GATTCharacteristic) async throws(GATTError) {
    let kind = try kind(of: characteristic, "subscribe")
    guard kind.isWritable else {
      throw GATTError(.notFound, during: "subscribe", "it neither indicates nor notifies")
    }
    try await wait("subscribe", before: deadline)
    link.subscribe(to: kind)
  }

  func nextValue(
    of characteristic: GATTCharacteristic, within limit: Duration
  ) async throws(GATTError) -> [UInt8] {
    let kind = try kind(of: characteristic, "indication")
    let end = room.uptime + VirtualGATTClient.milliseconds(limit)
    while true {
      // What the tracker does by itself is done in time also when nobody listens to the room.
      let deadline = await room.ask { [room, body] in
        _ = body.advertisement(at: room.uptime)
        return body.nextDeadline
      }
      if let value = try link.take(kind) { return value }
      guard !Task.isCancelled else { throw .virtual(.abortedLocally, during: "indication") }
      let now = room.uptime
      guard now < end else {
        throw GATTError(.timedOut, during: "indication", "the tracker sent nothing in time")
      }
      let next = min(end, deadline ?? end)
      await link.wait(for: kind) { [room] in
        await room.sleep(for: .milliseconds(max(1, next - now)))
      }
    }
  }

  func disconnect() async {
    await room.ask { [room, body, link] in
      body.disconnect(link, .abortedLocally, at: room.uptime)
    }
  }

  private var deadline: Int64 {
    room.uptime + VirtualGATTClient.milliseconds(operationLimit.withLock(\.self))
  }

  private func kind(
    of characteristic: GATTCharacteristic, _ operation: String
  ) throws(GATTError) -> TrackerCharacteristic {
    let match = TrackerCharacteristic.allCases.first {
      $0.uuid == characteristic.uuid && $0.service == characteristic.service
    }
    guard let match, offered.contains(characteristic) else {
      throw GATTError(
        .notFound, during: operation, "there is no characteristic \(characteristic.uuid)")
    }
    return match
  }

  private func wait(_ operation: String, before end: Int64) async throws(GATTError) {
    if let ended = link.ended { throw .virtual(ended, during: operation) }
    let left = Duration.milliseconds(end - room.uptime)
    await room.sleep(for: min(left, settings.latency))
    guard !Task.isCancelled else {
      await disconnect()
      throw .virtual(.abortedLocally, during: operation)
    }
    guard settings.latency <= left else {
      throw GATTError(.timedOut, during: operation, "the tracker did not answer in time")
    }
  }

  private func exchange(
    _ event: TrackerMachine.Event, _ operation: String, before end: Int64
  ) async throws(GATTError) -> TrackerResponse {
    try await wait(operation, before: end)
    let answer = await room.ask { [room, body, link] in
      body.exchange(event, on: link, at: room.uptime)
    }
    if let answer { return answer }
    throw .virtual(link.ended ?? .abortedByPeer, during: operation)
  }

  private func refusal(of answer: TrackerResponse, _ operation: String) -> GATTError {
    guard case .refused(let code) = answer else {
      return GATTError(.malformed, during: operation, "the answer belongs to something else")
    }
    return GATTError(
      .refused, during: operation, "the tracker refused it with ATT error \(code)",
      attributeError: code)
  }
}
