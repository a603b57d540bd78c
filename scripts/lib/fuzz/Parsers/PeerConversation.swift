import Bluetooth

/// A client of the Attribute Protocol, and a peer that says anything: PDUs behind their length; the
/// highest lengths stand for what the client's side does.
struct PeerConversation {
  private var client = ATTClient()
  private var isRunning = false
  private var isClosed = false

  @Sendable static func run(_ bytes: [UInt8]) {
    var conversation = PeerConversation()
    conversation.start(.discover)
    var position = 0
    while position < bytes.count {
      let length = Int(bytes[position])
      position += 1
      switch length {
      case 0xFF: conversation.take(conversation.client.abandon())
      case 0xFE: conversation.start(.read(handle: 3))
      case 0xFD: conversation.start(.write([UInt8](repeating: 5, count: 60), handle: 3))
      case 0xFC: conversation.start(.write([UInt8](repeating: 5, count: 512), handle: 3))
      case 0xFB:
        let first = conversation.client.attributes.characteristics.first
        if let first { conversation.start(.subscribe(first)) }
      case 0xFA: conversation.take(conversation.client.transactionTimedOut())
      case 0xF9: conversation.start(.discover)
      case 0xF8: conversation.start(.writeWithoutResponse([1, 2, 3], handle: 3))
      default:
        let end = min(bytes.count, position + length)
        conversation.receive(Array(bytes[position..<end]))
        position = end
      }
    }
  }

  private mutating func start(_ operation: ATTClient.Operation) {
    guard !isRunning else { return }
    isRunning = true
    take(client.start(operation))
  }

  private mutating func receive(_ bytes: [UInt8]) {
    if let pdu = try? ATTPDU(bytes.span) {
      // What was read is written the same way, and read again the same.
      precondition((try? ATTPDU(pdu.bytes.span)) == pdu, "a PDU that does not survive: \(pdu)")
    }
    let requests = client.requests
    take(client.receive(bytes.span))
    precondition(client.requests <= requests + 1, "two requests at a time")
  }

  private mutating func take(_ actions: [ATTClient.Action]) {
    for action in actions {
      switch action {
      case .send(let pdu):
        precondition(!isClosed && !pdu.isEmpty && pdu.count <= ATTPDU.maximumMTU, "a PDU too long")
      case .finished:
        precondition(isRunning, "a second result")
        isRunning = false
      case .value: break
      case .close: isClosed = true
      }
    }
    let handles = client.attributes.characteristics.map(\.handle)
    precondition(zip(handles, handles.dropFirst()).allSatisfy { $0 < $1 }, "handles twice")
  }
}
