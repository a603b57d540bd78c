/// The server side of the Attribute Protocol on one link, as a value: it takes what the client sends
/// and tells what to do (Core Specification, Vol 3, Part F, 3, and Part G, 4). A new link is a new
/// server: subscriptions and prepared writes do not outlive it.
///
/// It indicates and does not notify; it ignores writes without response, which no characteristic
/// here offers; Read Multiple is not supported. Hostile PDUs get an error or end the link.
public struct ATTServer: Sendable {
  /// How long a client may take to confirm an indication (Vol 3, Part F, 3.3.3).
  public static let confirmationLimit = Duration.seconds(30)
  /// The indications that wait for their turn, at most.
  static let indicationLimit = 16
  /// The requests that wait for the answer to the one before, at most. There should be none.
  static let requestLimit = 8

  /// A request that the owner is to answer.
  enum Outstanding: Sendable {
    case read(ATTOpcode, handle: UInt16)
    case write(handle: UInt16)
    /// A part of the prepared writes; the rest comes afterwards.
    case execute(handle: UInt16, rest: [(handle: UInt16, value: [UInt8])])
  }

  let database: ATTDatabase
  let largestMTU: Int
  let longestValue: Int
  /// The ATT_MTU of the link.
  public internal(set) var mtu = ATTPDU.defaultMTU
  /// Whether the client wants the indications of each characteristic, by number. No set: a tracker
  /// would have all that hashing needs in its flash for this one.
  var subscriptions: [Bool]
  var outstanding: Outstanding?
  var prepared: ATTWriteQueue
  private var requests: [[UInt8]] = []
  private var indications: [[UInt8]] = []
  private var awaitsConfirmation = false
  private var isEnding = false

  /// A server for a new link.
  ///
  /// - Parameters:
  ///   - services: what it offers.
  ///   - largestMTU: the longest PDU that it takes, 23 to 517 bytes.
  ///   - longestValue: the longest value that can be written, at most 512 bytes. Twice as much of
  ///     prepared writes is kept.
  public init(
    _ services: [GATTService], largestMTU: Int = ATTPDU.maximumMTU,
    longestValue: Int = ATTPDU.longestValue
  ) {
    database = ATTDatabase(services)
    subscriptions = database.characteristics.map { _ in false }
    self.largestMTU = min(max(largestMTU, ATTPDU.defaultMTU), ATTPDU.maximumMTU)
    self.longestValue = min(max(longestValue, 0), ATTPDU.longestValue)
    prepared = ATTWriteQueue(longestValue: self.longestValue)
  }

  /// The client sent a PDU.
  public mutating func receive(_ bytes: [UInt8]) -> [ATTServerAction] {
    var actions: [ATTServerAction] = []
    receive(bytes, &actions)
    return actions
  }

  private mutating func receive(_ bytes: [UInt8], _ actions: inout [ATTServerAction]) {
    guard let first = bytes.first else { return }
    let opcode = ATTOpcode(rawValue: first)
    // A client here may be a server as well, whose indications are confirmed and forgotten.
    switch opcode {
    case .handleValueConfirmation: return confirm(&actions)
    case .handleValueIndication:
      return actions.append(.send(ATTPDU.handleValueConfirmation.bytes))
    case _ where opcode.isFromServer || opcode.isCommand: return
    default: break
    }
    guard !isEnding else { return }
    guard outstanding == nil else {
      requests.append(bytes)
      if requests.count > ATTServer.requestLimit {
        end("it asks without waiting for answers", &actions)
      }
      return
    }
    request(opcode, bytes, &actions)
  }

  private mutating func request(
    _ opcode: ATTOpcode, _ bytes: [UInt8], _ actions: inout [ATTServerAction]
  ) {
    guard bytes.count <= mtu else {
      return refuse(opcode, 0, .invalidPDU, &actions)
    }
    do throws(ATTProblem) {
      try answer(ATTPDU(bytes.span), &actions)
    } catch {
      refuse(opcode, 0, .invalidPDU, &actions)
    }
  }

  /// The owner answers what it was asked last.
  public mutating func respond(_ response: GATTResponse) -> [ATTServerAction] {
    guard let outstanding else { return [] }
    self.outstanding = nil
    var actions: [ATTServerAction] = []
    switch (outstanding, response) {
    case (.read(let opcode, let handle), .value(let value)):
      give(value, of: handle, for: opcode, &actions)
    case (.read(let opcode, let handle), .refused(let error)):
      refuse(opcode, handle, error, &actions)
    case (.read(let opcode, let handle), .written):
      refuse(opcode, handle, .unlikelyError, &actions)
    case (.write(let handle), .refused(let error)):
      refuse(.writeRequest, handle, error, &actions)
    case (.write, _): send(.writeResponse, &actions)
    case (.execute(let handle, _), .refused(let error)):
      refuse(.executeWriteRequest, handle, error, &actions)
    case (.execute(_, let rest), _): execute(rest, &actions)
    }
    while self.outstanding == nil, !requests.isEmpty, !isEnding {
      let bytes = requests.removeFirst()
      request(ATTOpcode(rawValue: bytes.first ?? 0), bytes, &actions)
    }
    return actions
  }

  /// Indicates a value when the client wants it; as much of it as fits. One that is not confirmed
  /// yet comes first.
  public mutating func indicate(
    _ characteristic: BluetoothUUID, _ value: [UInt8]
  ) -> [ATTServerAction] {
    guard let number = database.characteristics.firstIndex(where: { $0.uuid == characteristic }),
      subscriptions[number], !isEnding
    else { return [] }
    var actions: [ATTServerAction] = []
    // opcode, handle 2
    let attribute = ATTAttributeValue(
      handle: database.valueHandles[number], value: Array(value.prefix(mtu - 3)))
    indications.append(ATTPDU.handleValueIndication(attribute).bytes)
    if indications.count > ATTServer.indicationLimit {
      end("it does not confirm what is indicated", &actions)
    } else {
      sendIndication(&actions)
    }
    return actions
  }

  /// The owner wants the link to end once what was indicated is confirmed. Nothing is answered any
  /// more.
  public mutating func finish() -> [ATTServerAction] {
    guard !isEnding else { return [] }
    isEnding = true
    outstanding = nil
    requests = []
    return awaitsConfirmation || !indications.isEmpty ? [] : [.end("all is said")]
  }

  /// The client did not confirm in time: there can be no further indications, so the link ends.
  public mutating func confirmationTimedOut() -> [ATTServerAction] {
    guard awaitsConfirmation else { return [] }
    var actions: [ATTServerAction] = []
    end("it does not confirm what is indicated", &actions)
    return actions
  }

  private mutating func sendIndication(_ actions: inout [ATTServerAction]) {
    guard !awaitsConfirmation, !indications.isEmpty else { return }
    awaitsConfirmation = true
    actions.append(.send(indications.removeFirst()))
    actions.append(.startTimer)
  }

  private mutating func confirm(_ actions: inout [ATTServerAction]) {
    guard awaitsConfirmation else { return }
    awaitsConfirmation = false
    actions.append(.stopTimer)
    sendIndication(&actions)
    if isEnding, !awaitsConfirmation { actions.append(.end("all is said")) }
  }

  private mutating func end(_ reason: String, _ actions: inout [ATTServerAction]) {
    isEnding = true
    awaitsConfirmation = false
    outstanding = nil
    requests = []
    indications = []
    actions.append(.stopTimer)
    actions.append(.end(reason))
  }

  func send(_ pdu: ATTPDU, _ actions: inout [ATTServerAction]) {
    actions.append(.send(pdu.bytes))
  }

  func refuse(
    _ request: ATTOpcode, _ handle: UInt16, _ error: ATTErrorCode,
    _ actions: inout [ATTServerAction]
  ) {
    send(.errorResponse(request: request, handle: handle, error: error), &actions)
  }
}
