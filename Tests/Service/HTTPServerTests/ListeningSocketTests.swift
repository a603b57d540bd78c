import Testing

@testable import HTTPServer

/// An address that is taken before there is a server.
@Suite(.timeLimit(.minutes(10)))
struct ListeningSocketTests {
  private let anyPort = ListenAddress(host: "127.0.0.1", port: 0)

  private func kind(_ address: ListenAddress) -> ServerError.Kind? {
    do throws(ServerError) {
      _ = try ListeningSocket(address)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func keepsOthersOutUntilItsServerEnds() async throws {
    let socket = try ListeningSocket(anyPort)
    #expect(kind(socket.address) == .busy)
    let listener = HTTPListener { _ in HTTPResponse(200, nil, []) }
    #expect(try listener.start(on: socket) == socket.address)
    _ = await listener.stop(within: .seconds(300))
    // Though this test still holds it.
    #expect(kind(socket.address) == nil)
  }

  @Test func whoComesEarlyIsAnswered() async throws {
    let socket = try ListeningSocket(anyPort)
    let client = try Client(socket.address)
    client.get("/word")
    let listener = HTTPListener { _ in HTTPResponse(200, "text/plain", Array("word".utf8)) }
    _ = try listener.start(on: socket)
    #expect(await client.answer(until: "word").hasPrefix("HTTP/1.1 200"))
    _ = await listener.stop(within: .seconds(300))
  }

  @Test func saysThatAnAddressIsNotOfThisMachine() {
    // For documentation (RFC 5737): no machine has it.
    #expect(kind(ListenAddress(host: "203.0.113.1", port: 0)) == .address)
  }
}
