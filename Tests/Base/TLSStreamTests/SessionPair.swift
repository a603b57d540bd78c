import TLSStream

/// Two sides of TLS that hear each other.
struct SessionPair {
  let client: TLSSession
  let server: TLSSession

  init(
    _ trust: TLSTrust, asking: String? = nil, clientSpeaks: String? = nil,
    isOlder: Bool = false, _ identity: TLSIdentity, serverSpeaks: String? = nil
  ) throws {
    client = try TLSSession(
      .client(trust, asking: asking), speaking: clientSpeaks, isOlder: isOlder)
    server = try TLSSession(.server(identity), speaking: serverSpeaks)
  }

  /// Carries what there is from one side to the other.
  func carry() {
    for (from, to) in [(client, server), (server, client)] {
      var buffer = [UInt8](repeating: 0, count: 1000)
      while from.waiting > 0, to.room >= buffer.count {
        let count = from.take(into: &buffer)
        precondition(to.put(buffer[..<count]) == count)
      }
    }
  }

  /// Makes the handshake.
  func open() throws {
    var isOpen = false
    while !isOpen {
      let isClient = try client.handshake()
      carry()
      let isServer = try server.handshake()
      carry()
      isOpen = isClient && isServer
    }
  }

  /// All that a side can read now.
  func read(_ session: TLSSession) throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 5000)
    while case .bytes(let count) = try session.read(buffer.count, into: &buffer) {
      all += buffer[..<count]
    }
    return all
  }
}
