import Diagnosis
import Glibc
import LunaTesting
import TLSStream
import Testing

/// TLS over two sockets that are connected with each other.
@Suite(.timeLimit(.minutes(10))) struct TLSStreamTests {
  private let authority: TestAuthority
  private let identity: TLSIdentity

  init() throws {
    authority = try TestAuthority()
    let files = try authority.certify("DNS:luna.example")
    identity = TLSIdentity(certificateFile: files.certificate, keyFile: files.key)
  }

  private func sides(
    name: String? = nil
  ) throws -> (client: StreamSide, server: StreamSide) {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &pair) == 0)
    let trust = TLSTrust.authorities(file: authority.certificate, name: name)
    return (
      try StreamSide(pair[0], .client(trust, asking: nil)),
      try StreamSide(pair[1], .server(identity))
    )
  }

  @Test func carriesMoreThanASocketHolds() throws {
    let (client, server) = try sides(name: "luna.example")
    let all = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 4) }
    // Before the handshake it waits.
    try client.stream.send(all)
    #expect(!client.stream.isOpen && client.stream.isSending)
    var received: [UInt8] = []
    while received.count < all.count {
      try server.stream.proceed()
      received += try server.read()
      try client.stream.proceed()
      _ = try client.read()
    }
    #expect(received == all && !client.stream.isSending)
    #expect(client.stream.events(reads: false) == 0)
    #expect(client.stream.events(reads: true) == Int16(POLLIN))
  }

  @Test func takesLeaveBehindWhatWaits() throws {
    let (client, server) = try sides()
    try client.stream.send([UInt8](repeating: 7, count: 1_000_000))
    client.stream.leave()
    var count = 0
    while !server.isEnded {
      try server.stream.proceed()
      count += try server.read().count
      try? client.stream.proceed()
    }
    #expect(count == 1_000_000)
  }

  @Test func saysWhyAServerIsNotTrusted() throws {
    let (client, server) = try sides(name: "other.example")
    try client.stream.proceed()
    try server.stream.proceed()
    let error = #expect(throws: TLSError.self) { try client.stream.proceed() }
    #expect(error?.kind == .otherName)
    // The server was told.
    let other = #expect(throws: TLSError.self) { try server.stream.proceed() }
    #expect(other?.kind == .failed)
  }

  @Test func seesThatTheOtherSideIsGone() throws {
    let (client, server) = try sides()
    try client.stream.proceed()
    server.close()
    let error = #expect(throws: TLSError.self) { try client.stream.proceed() }
    #expect(error?.kind == .cut)
  }

  /// What was said before a side closed without a word is read all the same.
  @Test func readsWhatCameBeforeTheEnd() throws {
    let (client, server) = try sides()
    while !(client.stream.isOpen && server.stream.isOpen) {
      try client.stream.proceed()
      try server.stream.proceed()
    }
    try server.stream.send([1, 2, 3])
    server.close()
    var buffer = [UInt8](repeating: 0, count: 100)
    let read = try client.stream.receive(buffer.count, into: &buffer)
    #expect(read == .bytes(3) && buffer[..<3] == [1, 2, 3])
    let error = #expect(throws: TLSError.self) { try client.read() }
    #expect(error?.kind == .cut)
  }
}
