import Diagnosis

/// The client side of the Attribute Protocol on one bearer (Core Specification, Vol 3, Part F), as a
/// value: it takes what is wanted and what the peer sends, and tells what to do. It also answers what
/// the peer asks of this side, which offers nothing.
///
/// One operation at a time. After an operation was given up its answer is still waited for, since no
/// other request may be sent before (3.3.2).
public struct ATTClient: Sendable {
  /// What can be done.
  public enum Operation: Hashable, Sendable {
    /// Agree on the MTU and find the characteristics; the first thing on a bearer.
    case discover
    /// Read a value.
    case read(handle: UInt16)
    /// Write a value of up to 512 bytes.
    case write([UInt8], handle: UInt16)
    /// Write a value that fits a PDU; nobody answers.
    case writeWithoutResponse([UInt8], handle: UInt16)
    /// Ask for the indications, or else notifications, of a characteristic.
    case subscribe(GATTCharacteristic)

    /// What it is called in errors.
    public var name: String {
      switch self {
      case .discover: "discover"
      case .read: "read"
      case .write, .writeWithoutResponse: "write"
      case .subscribe: "subscribe"
      }
    }
  }

  /// What is to be done, in this order.
  public enum Action: Hashable, Sendable {
    /// Send this PDU.
    case send([UInt8])
    /// The operation has ended.
    case finished(Result<ATTOutcome, GATTError>)
    /// The peer indicated or notified a value.
    case value(handle: UInt16, [UInt8])
    /// The bearer is of no more use and is to be closed; the operation, if there was one, has ended
    /// with this error.
    case close(GATTError)
  }

  /// How long a peer may take to answer a request (3.3.3). Afterwards the bearer is of no more use.
  public static let transactionLimit = Duration.seconds(30)

  /// What is known of the peer.
  public private(set) var attributes = ATTAttributes()
  /// How many requests were sent so far.
  public private(set) var requests = 0

  private var operation: Operation?
  private var procedure: (any ATTProcedure)?
  /// The request whose answer is waited for.
  private var outstanding: ATTOpcode?
  /// Whether the peer has to be told to forget prepared writes of an operation that was given up.
  private var mustForget = false
  /// Why the bearer is of no more use.
  private var closed: GATTError?

  /// A client on a new bearer.
  public init() {}

  /// What is under way, as it is called in errors.
  public var operationName: String? { operation?.name }

  /// Whether the answer to a request is waited for, for at most ``transactionLimit``.
  public var awaitsAnswer: Bool { outstanding != nil }

  /// Begins an operation; answered by `finished`. The one before must have ended.
  public mutating func start(_ operation: Operation) -> [Action] {
    if let error = closed ?? self.operation.map({ _ in ATTClient.occupied }) {
      return [.finished(.failure(GATTError(error.kind, during: operation.name, error.reason)))]
    }
    if case .writeWithoutResponse(let value, let handle) = operation {
      return command(value, to: handle)
    }
    self.operation = operation
    return outstanding == nil ? begin() : []
  }

  /// Gives up the operation: its time is over.
  public mutating func abandon() -> [Action] {
    guard let operation else { return [] }
    mustForget = mustForget || procedure?.leavesPreparedWrites == true
    self.operation = nil
    procedure = nil
    return [
      .finished(
        .failure(GATTError(.timedOut, during: operation.name, "the peer did not answer in time")))
    ]
  }

  /// The peer did not answer a request within ``transactionLimit``.
  public mutating func transactionTimedOut() -> [Action] {
    guard outstanding != nil else { return [] }
    let reason = "the peer did not answer for \(ATTClient.transactionLimit.components.seconds) s"
    return close(GATTError(.timedOut, during: operation?.name ?? "connect", reason))
  }

  private static let occupied = GATTError(
    .busy, during: "connect", "another operation is under way")

  private mutating func command(_ value: [UInt8], to handle: UInt16) -> [Action] {
    guard value.count <= attributes.mtu - 3 else {
      let error = GATTError(
        .refused, during: "write",
        "\(value.count) bytes do not fit: without response there is room for "
          + "\(attributes.mtu - 3)")
      return [.finished(.failure(error))]
    }
    let pdu = ATTPDU.writeCommand(ATTAttributeValue(handle: handle, value: value))
    return [.send(pdu.bytes), .finished(.success(.done))]
  }

  private mutating func begin() -> [Action] {
    guard let operation else { return [] }
    let mtu = attributes.mtu
    var procedure: any ATTProcedure
    switch operation {
    case .discover: procedure = ATTDiscovery()
    case .read(let handle): procedure = ATTRead(handle: handle, mtu: mtu)
    case .write(let value, let handle): procedure = ATTWrite(value, to: handle, mtu: mtu)
    case .writeWithoutResponse(let value, let handle):
      self.operation = nil
      return command(value, to: handle)
    case .subscribe(let characteristic):
      procedure = ATTSubscription(
        to: characteristic, end: attributes.ends[characteristic.handle] ?? characteristic.handle)
    }
    let step = procedure.begin()
    self.procedure = procedure
    return take(step)
  }

  private mutating func take(_ step: ATTStep) -> [Action] {
    switch step {
    case .request(let pdu): return request(pdu)
    case .done(let outcome):
      if case .attributes(let found) = outcome { attributes = found }
      return finish(.success(outcome))
    case .failed(let error):
      // What follows an answer that makes no sense makes none either.
      return error.kind == .malformed ? close(error) : finish(.failure(error))
    }
  }

  private mutating func request(_ pdu: ATTPDU) -> [Action] {
    outstanding = pdu.opcode
    requests += 1
    return [.send(pdu.bytes)]
  }

  private mutating func finish(_ result: Result<ATTOutcome, GATTError>) -> [Action] {
    operation = nil
    procedure = nil
    return [.finished(result)]
  }

  private mutating func close(_ error: GATTError) -> [Action] {
    let finished = operation == nil ? [] : finish(.failure(error))
    closed = error
    outstanding = nil
    return finished + [.close(error)]
  }

  /// Takes a PDU as it came, whole.
  ///
  /// - Returns: what to do now, in this order; nothing once the link is closed. An answer that nobody
  ///   waits for is passed over; one that is malformed, or to another request, closes the link.
  public mutating func receive(_ bytes: Span<UInt8>) -> [Action] {
    guard closed == nil else { return [] }
    do throws(ATTProblem) {
      return receive(try ATTPDU(bytes))
    } catch {
      return receive(error)
    }
  }

  private mutating func receive(_ pdu: ATTPDU) -> [Action] {
    switch pdu {
    case .handleValueNotification(let value): return [.value(handle: value.handle, value.value)]
    case .handleValueIndication(let value):
      return [
        .send(ATTPDU.handleValueConfirmation.bytes), .value(handle: value.handle, value.value),
      ]
    case .multipleHandleValueNotification(let values):
      return values.map { .value(handle: $0.handle, $0.value) }
    default:
      if pdu.opcode.isFromServer { return answered(pdu) }
      return ATTRefusal.answer(pdu).map { [.send($0.bytes)] } ?? []
    }
  }

  /// Something that is not a PDU as it should be.
  private mutating func receive(_ problem: ATTProblem) -> [Action] {
    guard let opcode = problem.opcode else { return [] }
    switch opcode {
    // A value that has no handle is of no use, and nobody waits for it.
    case .handleValueNotification, .handleValueIndication, .multipleHandleValueNotification,
      .handleValueConfirmation:
      return []
    default: break
    }
    if opcode.isFromServer {
      guard outstanding != nil else { return [] }
      return close(
        GATTError(.malformed, during: operation?.name ?? "connect", "the peer sent \(problem)"))
    }
    return opcode.isCommand ? [] : [.send(ATTRefusal.invalid(opcode).bytes)]
  }

  private mutating func answered(_ pdu: ATTPDU) -> [Action] {
    // An answer that nobody asked for.
    guard let request = outstanding else { return [] }
    var belongs = pdu.opcode == request.response
    if case .errorResponse(request, _, _) = pdu { belongs = true }
    guard belongs else {
      return close(
        GATTError(
          .malformed, during: operation?.name ?? "connect",
          "the peer answered \(request) with \(pdu.opcode)"))
    }
    outstanding = nil
    if var procedure {
      // Taken out, so that what it has found is not copied.
      self.procedure = nil
      let step = procedure.receive(pdu)
      self.procedure = procedure
      return take(step)
    }
    // The operation was given up meanwhile.
    if mustForget {
      mustForget = false
      return self.request(.executeWriteRequest(write: false))
    }
    return begin()
  }
}
