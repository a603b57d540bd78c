import LunaJSON

/// Refuses requests about whose beginning or end two readers could disagree (request smuggling,
/// RFC 9112, 6.3 and 11.2), and those of which nobody needs the rest. The library below lets them
/// through: it reads the first of two lengths, and takes a name with a blank before the colon.
enum RequestCheck {
  /// What is wrong with a head; nil when it is good.
  ///
  /// - Parameters:
  ///   - endpoint: what that takes, where it is not what the server does.
  ///   - bodyBytes: what is taken of a body that is not kept.
  static func problem(
    with head: HTTPHead, limits: HTTPLimits, endpoint: EndpointLimits? = nil,
    bodyBytes: Int? = nil
  ) -> ProblemDocument? {
    sizeProblem(head, limits, endpoint?.targetLength ?? limits.targetLength) ?? lineProblem(head)
      ?? framingProblem(head) ?? targetProblem(head, limits)
      ?? bodyProblem(head, bodyBytes ?? endpoint?.bodyBytes ?? limits.bodyBytes)
  }

  private static func sizeProblem(
    _ head: HTTPHead, _ limits: HTTPLimits, _ targetLength: Int
  ) -> ProblemDocument? {
    guard head.target.utf8.count <= targetLength else {
      return ProblemDocument(414, "targetTooLong", "Path and query are too long.", detail: nil)
    }
    guard head.size <= limits.headBytes, head.headers.count <= limits.headers else {
      return ProblemDocument(
        431, "headTooLarge", "The headers are too large.",
        detail: "at most \(limits.headBytes) bytes and \(limits.headers) headers are taken")
    }
    return nil
  }

  private static func lineProblem(_ head: HTTPHead) -> ProblemDocument? {
    guard head.version == "HTTP/1.1" || head.version == "HTTP/1.0" else {
      return ProblemDocument(
        505, "version", "Only HTTP/1.1 and HTTP/1.0 are spoken.", detail: nil)
    }
    guard !head.method.isEmpty, head.method.utf8.allSatisfy(isTokenByte) else {
      return malformed("the method has a character that is not allowed")
    }
    guard head.isPlain else {
      return malformed(
        "the head has a zero byte, a blank too many, a line that goes on in the next one, or a line "
          + "without CR and LF at its end")
    }
    return nil
  }

  /// A request that cannot be understood.
  static func malformed(_ detail: String) -> ProblemDocument {
    ProblemDocument(400, "malformedRequest", "The request is malformed.", detail: detail)
  }

  private static func framingProblem(_ head: HTTPHead) -> ProblemDocument? {
    for header in head.headers {
      guard !header.name.isEmpty, header.name.allSatisfy(isTokenByte) else {
        return malformed("a header name has a character that is not allowed, such as a blank")
      }
      guard header.value.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
        return malformed("a header value has a control character")
      }
    }
    // As they came: a value that goes on in the next line keeps blanks in front of it, and the
    // library does not understand it as we would.
    let (lengths, codings) = (head.raw("content-length"), head.raw("transfer-encoding"))
    guard lengths.count <= 1 else { return malformed("there are two Content-Length headers") }
    guard codings.count <= 1 else { return malformed("there are two Transfer-Encoding headers") }
    if let length = lengths.first {
      guard codings.isEmpty else {
        return malformed("there are both Content-Length and Transfer-Encoding")
      }
      let isNumber = !length.isEmpty && length.utf8.count <= 18 && length.utf8.allSatisfy(isDigit)
      guard isNumber else { return malformed("Content-Length is not a number") }
    }
    if let coding = codings.first {
      guard head.version == "HTTP/1.1" else {
        return malformed("Transfer-Encoding is not for HTTP/1.0")
      }
      guard coding.lowercased() == "chunked" else {
        return ProblemDocument(
          501, "transferEncoding", "Only the transfer coding chunked is known.", detail: nil)
      }
    }
    return nil
  }

  /// tchar of RFC 9110, 5.6.2.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func targetProblem(
    _ head: HTTPHead, _ limits: HTTPLimits
  ) -> ProblemDocument? {
    guard head.target.hasPrefix("/"), head.target.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else { return malformed("the request target is not a path") }
    let single: [StaticString] = [
      "host", "authorization", "content-type", "content-encoding", "expect",
    ]
    for name in single + limits.singleHeaders {
      guard head.headers.count(where: { $0.isNamed(name) }) <= 1 else {
        return malformed("there are two \(name) headers")
      }
    }
    guard let host = head.first("host") else {
      return head.version == "HTTP/1.0" ? nil : malformed("the Host header is missing")
    }
    return isHost(host) ? nil : malformed("the Host header is no host")
  }

  /// Whether it has only bytes of a host and a port (RFC 3986, 3.2.2).
  static func isHost(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || "-._~!$&'()*+;=%:[]".utf8.contains(byte)
      }
  }

  private static func bodyProblem(_ head: HTTPHead, _ most: Int) -> ProblemDocument? {
    if let expectation = head.first("expect"), expectation.lowercased() != "100-continue" {
      return ProblemDocument(
        417, "expectation", "Only the expectation 100-continue is known.", detail: nil)
    }
    if head.contentLength ?? 0 > most { return .bodyTooLarge(most) }
    return nil
  }
}
