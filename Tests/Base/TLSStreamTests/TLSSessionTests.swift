import Diagnosis
import LunaTesting
import TLSStream
import Testing

@Suite(.timeLimit(.minutes(10))) struct TLSSessionTests {
  private static let name = "luna.example"

  private let authority: TestAuthority

  init() throws { authority = try TestAuthority() }

  private func identity(isExpired: Bool = false) throws -> TLSIdentity {
    let files = try authority.certify("DNS:\(Self.name),IP:127.0.0.1", isExpired: isExpired)
    return TLSIdentity(certificateFile: files.certificate, keyFile: files.key)
  }

  private func trust(_ name: String?) -> TLSTrust {
    .authorities(file: authority.certificate, name: name)
  }

  /// Why a client does not trust a server.
  private func failure(_ trust: TLSTrust, isExpired: Bool = false) throws -> TLSError? {
    let pair = try SessionPair(trust, identity(isExpired: isExpired))
    return #expect(throws: TLSError.self) { try pair.open() }
  }

  @Test(arguments: ["luna.example", "127.0.0.1", nil] as [String?])
  func trustsWhomItIsToldTo(_ name: String?) throws {
    let pair = try SessionPair(trust(name), identity())
    #expect(!pair.client.isOpen)
    try pair.open()
    #expect(pair.client.isOpen && pair.server.isOpen && pair.server.askedName == nil)
    #expect(try pair.client.write(Array("question".utf8)[...]) == 8)
    pair.carry()
    #expect(try pair.read(pair.server) == Array("question".utf8))
  }

  /// The server's own certificate may stand for its authority.
  @Test func trustsACertificateItself() throws {
    let identity = try identity()
    let pair = try SessionPair(
      .authorities(file: identity.certificateFile, name: Self.name), identity)
    try pair.open()
    #expect(pair.client.isOpen)
  }

  @Test(arguments: ["other.example", "luna.example.org", "127.0.0.2"])
  func checksTheName(_ name: String) throws {
    let error = try #require(try failure(trust(name)))
    #expect(error.kind == .otherName && error.remedy != nil)
  }

  @Test func checksTheChain() throws {
    let other = try TestAuthority()
    for trust in [
      TLSTrust.authorities(file: other.certificate, name: nil), .system(name: Self.name),
    ] {
      let error = try #require(try failure(trust))
      #expect(error.kind == .notTrusted && error.remedy != nil)
    }
    withExtendedLifetime(other) {}
  }

  @Test func checksTheTime() throws {
    let error = try #require(try failure(trust(nil), isExpired: true))
    #expect(error.kind == .notTrusted && error.reason.contains("expired"))
  }

  /// The other side learns that it is not trusted.
  @Test func saysWhyItDoesNotTrust() throws {
    let pair = try SessionPair(trust("other.example"), identity())
    #expect(throws: TLSError.self) { try pair.open() }
    pair.carry()
    let error = #expect(throws: TLSError.self) { try pair.server.handshake() }
    #expect(error?.kind == .failed)
  }

  @Test func refusesFilesThatAreNone() throws {
    let identity = try identity()
    let wrong = authority.noCertificate
    let roles: [TLSRole] = [
      .client(.authorities(file: wrong, name: nil), asking: nil),
      .client(.authorities(file: wrong + "-none", name: nil), asking: nil),
      .server(TLSIdentity(certificateFile: wrong, keyFile: identity.keyFile)),
      .server(TLSIdentity(certificateFile: identity.certificateFile, keyFile: wrong)),
      // Nothing that is empty may mean that nothing is checked.
      .client(.system(name: ""), asking: nil),
      .client(.system(name: "luna.example\0.org"), asking: nil),
      .client(.authorities(file: "", name: nil), asking: nil),
      .client(.authorities(file: authority.certificate, name: ""), asking: nil),
    ]
    for role in roles {
      let error = #expect(throws: TLSError.self) { try TLSSession(role) }
      #expect(error?.kind == .files && error?.remedy != nil, "\(role)")
    }
  }

  @Test func asksForANameAndAProtocol() throws {
    let pair = try SessionPair(
      trust(Self.name), asking: "control.example", clientSpeaks: "http/1.1", identity(),
      serverSpeaks: "http/1.1")
    try pair.open()
    #expect(pair.server.askedName == "control.example")
    #expect(pair.client.isAgreed && pair.server.isAgreed)
  }

  @Test func speaksWithoutAProtocolThatIsNotKnown() throws {
    let pair = try SessionPair(
      trust(nil), clientSpeaks: "h2", identity(), serverSpeaks: "http/1.1")
    try pair.open()
    #expect(!pair.client.isAgreed && !pair.server.isAgreed)
  }

  /// Whoever is to speak TLS 1.2 does not offer 1.3 (RFC 8446, 4.2.1), and is understood.
  @Test func offersNoNewerVersionThanItIsTold() throws {
    let versions: [UInt8] = [0x00, 0x2B, 0x00, 0x05, 0x04, 0x03, 0x04, 0x03, 0x03]
    for isOlder in [false, true] {
      let client = try TLSSession(.client(trust(nil), asking: nil), isOlder: isOlder)
      #expect(try !client.handshake())
      var buffer = [UInt8](repeating: 0, count: 5000)
      let count = client.take(into: &buffer)
      let hello = buffer[..<count]
      let offers = hello.indices.contains { hello[$0...].starts(with: versions) }
      #expect(offers != isOlder)
      let pair = try SessionPair(trust(nil), isOlder: isOlder, identity())
      try pair.open()
      #expect(pair.client.isOpen)
    }
  }

  @Test func holdsNoMoreThanItsRoom() throws {
    let pair = try SessionPair(trust(nil), identity())
    try pair.open()
    let all = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    var rest = all[...]
    var received: [UInt8] = []
    while received.count < all.count {
      // Until nothing more fits.
      while true {
        let count = try pair.client.write(rest)
        rest = rest.dropFirst(count)
        if count == 0 { break }
      }
      #expect(pair.client.waiting <= 32_768)
      pair.carry()
      received += try pair.read(pair.server)
    }
    #expect(received == all)
    let noise = [UInt8](repeating: 0, count: 100_000)
    #expect(pair.server.put(noise[...]) <= 32_768)
    #expect(pair.server.put(noise[...]) == 0 && pair.server.room == 0)
  }

  @Test func takesLeave() throws {
    let pair = try SessionPair(trust(nil), identity())
    try pair.open()
    #expect(try pair.client.write([1, 2, 3]) == 3)
    pair.client.leave()
    pair.carry()
    #expect(try pair.read(pair.server) == [1, 2, 3])
    var buffer: [UInt8] = [0]
    let read = try pair.server.read(1, into: &buffer)
    #expect(read == .end)
    // Who hears it may still say something.
    #expect(try pair.server.write([4]) == 1)
    pair.carry()
    #expect(try pair.read(pair.client) == [4])
  }

  @Test func seesThatAnEndIsNone() throws {
    let pair = try SessionPair(trust(nil), identity())
    try pair.open()
    pair.server.putEnd()
    var buffer: [UInt8] = [0]
    for _ in 0..<2 {
      let error = #expect(throws: TLSError.self) { try pair.server.read(1, into: &buffer) }
      #expect(error?.kind == .cut)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 400 Bad Request\r\n\r\n", "0000000016[-1, null, null]", "SSH-2.0-OpenSSH_9\r\n",
  ])
  func seesThatNoTLSIsSpoken(_ answer: String) throws {
    let client = try TLSSession(.client(trust(nil), asking: nil))
    #expect(try client.handshake() == false)
    _ = client.put(Array(answer.utf8)[...])
    let error = #expect(throws: TLSError.self) { try client.handshake() }
    #expect(error?.kind == .notSpoken && error?.remedy != nil)
  }

  /// Whatever was changed on the way: an error or silence, never what nobody said.
  @Test func takesNothingThatWasChanged() throws {
    var random = Seeded.drawn()
    let identity = try identity()
    for _ in 0..<200 {
      let pair = try SessionPair(trust(nil), identity)
      try pair.open()
      let said = Array("what is meant".utf8)
      _ = try pair.client.write(said[...])
      var wire = [UInt8](repeating: 0, count: 1000)
      let count = pair.client.take(into: &wire)
      wire[Int.random(in: 0..<count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      _ = pair.server.put(wire[..<count])
      do throws(TLSError) {
        var buffer = wire
        let read = try pair.server.read(buffer.count, into: &buffer)
        #expect(read == .nothing)
      } catch {
        #expect(error.kind != .cut)
      }
    }
  }

  /// What a server says in its handshake, changed or not at all of TLS.
  @Test func survivesAnyHandshake() throws {
    var random = Seeded.drawn()
    let identity = try identity()
    for round in 0..<300 {
      let pair = try SessionPair(trust(nil), identity)
      _ = try pair.client.handshake()
      var wire = [UInt8](repeating: 0, count: 16_384)
      var count = pair.client.take(into: &wire)
      _ = pair.server.put(wire[..<count])
      _ = try pair.server.handshake()
      count = pair.server.take(into: &wire)
      for _ in 0...(round % 4) {
        wire[Int.random(in: 0..<count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if round % 3 == 0 { count = Int.random(in: 0..<count, using: &random) }
      _ = pair.client.put(wire[..<count])
      if round % 2 == 0 { pair.client.putEnd() }
      _ = try? pair.client.handshake()
      _ = try? pair.read(pair.client)
      pair.client.leave()
    }
  }
}
