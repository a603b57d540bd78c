import Synchronization
import Testing

@testable import HTTPServer

/// Limits that the real library keeps, over loopback.
@Suite("What one endpoint takes", .timeLimit(.minutes(10)))
struct EndpointLimitsTests {
  private func limits() -> HTTPLimits {
    var limits = HTTPLimits()
    limits.bodyBytes = 100
    limits.singleHeaders = ["luna-csrf", "cookie", "origin"]
    limits.trustedProxies = TrustedProxies(["127.0.0.0/8"]) ?? .none
    limits.endpoint = { head in
      switch head.path {
      case "/large": ("large", EndpointLimits(bodyBytes: 1000))
      case "/small": ("small", EndpointLimits(bodyBytes: 10))
      case "/one": ("one", EndpointLimits(requests: 1))
      default: nil
      }
    }
    return limits
  }

  private func post(
    _ address: ListenAddress, _ path: String, _ count: Int
  ) async throws -> String {
    let client = try Client(address)
    client.send(
      "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\nConnection: close\r\n\r\n"
        + String(repeating: "x", count: count))
    return String(await client.answer().prefix { $0 != "\r\n" })
  }

  @Test("Bytes of a body, announced or in chunks")
  func bodies() async throws {
    let listener = HTTPListener(limits: limits()) { _ in HTTPResponse(200, nil, []) }
    let address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    for (path, count, isTaken) in [
      ("/large", 1000, true), ("/large", 1001, false), ("/small", 10, true), ("/small", 11, false),
      ("/other", 100, true), ("/other", 101, false),
    ] {
      #expect(try await post(address, path, count).contains(isTaken ? " 200 " : " 413 "))
    }
    let client = try Client(address)
    client.send(
      "POST /small HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "10\r\n0123456789abcdef\r\n0\r\n\r\n")
    #expect(await client.answer(until: "\r\n").contains(" 413 "))
    _ = await listener.stop(within: .seconds(5))
  }

  @Test(
    "Bytes of all bodies, and requests, though the heads came before the first of them",
    arguments: [(100, 10), (1000, 1)])
  func allAtOnce(bytes: Int, requests: Int) async throws {
    let (heads, began, ends) = (Signal(), Signal(), Signal())
    var limits = limits()
    (limits.totalBodyBytes, limits.requests) = (bytes, requests)
    limits.body = { _ in
      heads.fire()
      return .kept
    }
    let listener = HTTPListener(limits: limits) { request in
      if request.head.path == "/waits" {
        began.fire()
        await ends.wait()
      }
      return HTTPResponse(200, nil, [])
    }
    let address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    let (first, second) = (try Client(address), try Client(address))
    let head = " HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
    first.send("POST /waits" + head)
    second.send("POST /" + head + String(repeating: "x", count: 40))
    await heads.wait(times: 2)
    first.send(String(repeating: "x", count: 100))
    await began.wait()
    second.send(String(repeating: "x", count: 60))
    #expect(await second.answer(until: "\r\n").contains(" 503 "))
    ends.fire()
    #expect(await first.answer(until: "\r\n").contains(" 200 "))
    #expect(await listener.stop(within: .seconds(300)))
    #expect(listener.bodies.load(ordering: .relaxed) == 0)
  }

  @Test("Characters of path and query")
  func targets() async throws {
    var limits = limits()
    limits.targetLength = 50
    limits.endpoint = { $0.path == "/long" ? ("long", EndpointLimits(targetLength: 100)) : nil }
    let listener = HTTPListener(limits: limits) { _ in HTTPResponse(200, nil, []) }
    let address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    for (path, count, isTaken) in [
      ("/long", 100, true), ("/long", 101, false), ("/other", 50, true), ("/other", 51, false),
    ] {
      let client = try Client(address)
      client.get(path + "?" + String(repeating: "q", count: count - path.utf8.count - 1))
      #expect(await client.answer(until: "\r\n").contains(isTaken ? " 200 " : " 414 "))
    }
    _ = await listener.stop(within: .seconds(5))
  }

  @Test("Requests at once")
  func requests() async throws {
    let (began, ends) = (Signal(), Signal())
    let listener = HTTPListener(limits: limits()) { request in
      if request.head.query == "waits" {
        began.fire()
        await ends.wait()
      }
      return HTTPResponse(200, nil, [])
    }
    let address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    let (first, second, third) = (try Client(address), try Client(address), try Client(address))
    first.get("/one?waits")
    await began.wait()
    second.get("/one")
    #expect(await second.answer(until: "\r\n").contains(" 503 "))
    third.get("/other")
    #expect(await third.answer(until: "\r\n").contains(" 200 "))
    ends.fire()
    #expect(await first.answer(until: "\r\n").contains(" 200 "))
    // One after the other: who asks before the last was answered is told that it is busy.
    for _ in 1...2 {
      let next = try Client(address)
      next.get("/one")
      #expect(await next.answer(until: "\r\n").contains(" 200 "))
    }
    _ = await listener.stop(within: .seconds(5))
  }

  @Test("The address behind a proxy, and headers that may be there once")
  func clients() async throws {
    let listener = HTTPListener(limits: limits()) { request in
      let isBehind = request.client == ClientAddress([1, 2, 3, 4])
      return HTTPResponse(isBehind ? 200 : 204, nil, [])
    }
    let address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    for (headers, status) in [
      ("X-Forwarded-For: 9.9.9.9, 1.2.3.4\r\n", " 200 "), ("", " 204 "),
      ("X-Forwarded-For: 1.2.3.4, 9.9.9.9\r\n", " 204 "),
      ("Cookie: a=1\r\nCookie: b=2\r\n", " 400 "), ("Origin: a\r\norigin: a\r\n", " 400 "),
      ("Luna-CSRF: a\r\nLuna-CSRF: a\r\n", " 400 "), ("X-Other: a\r\nX-Other: a\r\n", " 204 "),
    ] {
      let client = try Client(address)
      client.get("/", headers)
      #expect(await client.answer(until: "\r\n").contains(status), "\(headers)")
    }
    _ = await listener.stop(within: .seconds(5))
  }
}
