import Foundation
import LunaTesting
import Testing

@testable import HTTPServer

/// How long a server lives, over loopback.
@Suite("A server's life", .timeLimit(.minutes(10)))
struct HTTPListenerTests {
  @Test("One that serves lives until it has stopped, though nobody holds it")
  func livesWhileItServes() async throws {
    let (address, held) = try begin()
    for _ in 0..<3 {
      let client = try Client(address)
      client.get("/word")
      #expect(await client.answer(until: "word").hasPrefix("HTTP/1.1 200"))
    }
    #expect(held.listener != nil)
    await held.stop()
    #expect(held.listener == nil)
  }

  @Test("One that could not begin, and one that never did, leave nothing")
  func leavesNothing() throws {
    let (held, folder) = (Held(), TestFolder())
    let files = try ["CERTIFICATE", "PRIVATE KEY"].map { label in
      let path = "\(folder.path)/\(label)"
      try "-----BEGIN \(label)-----\nnone\n-----END \(label)-----\n".write(
        toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    do {
      let listener = HTTPListener { _ in HTTPResponse(200, nil, []) }
      held.listener = listener
      #expect(throws: ServerError.self) {
        try listener.start(
          on: ListenAddress(host: "127.0.0.1", port: 0),
          tls: TLSFiles(certificateFile: files[0], keyFile: files[1]))
      }
    }
    #expect(held.listener == nil)
  }

  private func begin() throws -> (address: ListenAddress, held: Held) {
    let listener = HTTPListener { _ in HTTPResponse(200, "text/plain", Array("word".utf8)) }
    let held = Held()
    held.listener = listener
    return (try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0)), held)
  }

  private final class Held {
    weak var listener: HTTPListener?

    func stop() async {
      #expect(await listener?.stop(within: .seconds(600)) == true)
    }
  }
}
