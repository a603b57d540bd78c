import Testing

@testable import LunaAccount

@Suite("Where a request goes when a server sends it elsewhere")
struct RedirectPathTests {
  private func path(
    _ policy: RedirectPolicy = .sameOrigin, method: String = "GET", body: Bool = false,
    from start: String = "https://a.example/x"
  ) throws -> RedirectPath {
    RedirectPath(
      try #require(WebAddress(start)), method: method, hasBody: body, policy: policy)
  }

  private func followed(
    _ policy: RedirectPolicy, _ location: String, from start: String = "https://a.example/x"
  ) throws -> Bool {
    var path = try path(policy, from: start)
    try path.follow(status: 302, location: location)
    return path.hasCredentials
  }

  @Test("With the token only on the same scheme, host and port")
  func sameOrigin() throws {
    for location in ["/y", "https://a.example/y", "https://A.example:443/y", "?z"] {
      #expect(try followed(.sameOrigin, location))
      #expect(try !followed(.drop, location))
      #expect(try followed(.allowList([]), location))
    }
    for location in [
      "https://b.example/", "https://a.example:8443/", "https://a.example.evil/", "//b.example/",
      "https://a.example./",
    ] {
      #expect(try !followed(.sameOrigin, location))
    }
    #expect(try !followed(.sameOrigin, "http://127.0.0.1:2/", from: "http://127.0.0.1:1/"))
    #expect(try !followed(.sameOrigin, "http://localhost:1/", from: "http://127.0.0.1:1/"))
    #expect(try !followed(.sameOrigin, "http://[::ffff:127.0.0.1]:1/", from: "http://127.0.0.1:1/"))
    #expect(try followed(.sameOrigin, "http://[0::1]:1/", from: "http://[::1]:1/"))
  }

  @Test("Also to hosts that are named")
  func allowList() throws {
    let policy = RedirectPolicy.allowList(["b.example", "c.example:8443"])
    #expect(try followed(policy, "https://b.example/"))
    #expect(try followed(policy, "https://c.example:8443/"))
    #expect(try !followed(policy, "https://c.example/"))
    #expect(try !followed(policy, "https://x.b.example/"))
    // Named or not: nobody on the way is to read it.
    #expect(try !followed(policy, "http://b.example/", from: "http://127.0.0.1/"))
  }

  @Test("Once without the token, never with it again")
  func never() throws {
    var path = try path()
    try path.follow(status: 302, location: "https://b.example/")
    try path.follow(status: 302, location: "https://a.example/y")
    #expect(!path.hasCredentials)
  }

  @Test("What is not followed")
  func refused() throws {
    for location in [
      nil, "http://a.example/", "https://user@a.example/", "ftp://a.example/",
      "https://a.example\\@b",
    ] {
      var path = try path()
      let error = #expect(throws: AccountError.self) {
        try path.follow(status: 302, location: location)
      }
      #expect(error?.code == .redirect)
    }
    var path = try path()
    for _ in 0..<5 { try path.follow(status: 302, location: "/y") }
    #expect(throws: AccountError.self) { try path.follow(status: 302, location: "/y") }
  }

  @Test("301 to 303 become GET; 307 and 308 repeat it only where the token may go")
  func methods() throws {
    for status in [301, 302, 303] {
      var path = try path(method: "POST", body: true)
      try path.follow(status: status, location: "https://b.example/")
      #expect(path.method == "GET" && !path.hasBody && !path.hasCredentials)
    }
    for status in [307, 308] {
      var path = try path(method: "POST", body: true)
      try path.follow(status: status, location: "/y")
      #expect(path.method == "POST" && path.hasBody && path.hasCredentials)
      for policy in [RedirectPolicy.sameOrigin, .drop] {
        var other = try self.path(policy, method: "POST", body: true)
        #expect(throws: AccountError.self) {
          try other.follow(status: status, location: "https://b.example/")
        }
      }
      var get = try self.path()
      try get.follow(status: status, location: "https://b.example/")
      #expect(get.method == "GET" && !get.hasCredentials)
    }
  }
}
