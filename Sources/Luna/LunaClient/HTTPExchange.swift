import Bluetooth
import CCurl
import Diagnosis
import Glibc
import LunaCrypto
import SafeText

/// One handle of libcurl, used on one thread at a time by its owner.
final class HTTPExchange: @unchecked Sendable {
  /// What goes after the head of a request.
  enum Body: Sendable {
    case plain([UInt8])
    case secret(SecretBytes)
  }

  /// An answer.
  struct Answer: Sendable {
    let outcome: ccurl_outcome
    let status: Int
    let retryAfter: Int?
    /// Seconds since 1970.
    let date: Int64?
    let mediaType: String
    let location: String
    let headers: [HTTPField]
    var body: [UInt8]
    /// Why there is none.
    let problem: ForeignText

    /// What can be done where the other side cannot be trusted.
    var remedyOfDistrust: Remedy {
      // What OpenSSL says of an answer that is not TLS.
      let signs = ["wrong version number", "packet length too long"]
      return signs.contains { problem.raw.contains(text: $0) }
        ? "no TLS is spoken there: check the port, or use http://"
        : "name the file of its certificate authority, and check this machine's clock"
    }
  }

  /// The dates that a server can tell: libcurl also reads years of many digits.
  private static let dates: ClosedRange<Int64> = 0...253_402_300_799

  private let client: OpaquePointer

  init(_ configuration: ClientConfiguration) throws(HTTPError) {
    if let problem = ccurl_load() {
      throw HTTPError(
        .library, "the HTTP library is missing: \(String(cString: problem))",
        remedy: "apt-get install libcurl4")
    }
    let texts = [
      strdup(configuration.proxy), configuration.certificateAuthorities.map { strdup($0) } ?? nil,
      strdup(configuration.userAgent),
    ]
    defer { for text in texts { free(text) } }
    var settings = ccurl_settings()
    settings.connect_milliseconds = configuration.connectTimeout.milliseconds
    settings.total_milliseconds = configuration.totalTimeout.milliseconds
    settings.proxy = UnsafePointer(texts[0])
    settings.certificate_authorities = UnsafePointer(texts[1])
    // Never where anybody's certificate would do.
    settings.takes_any_name =
      !configuration.checksName && configuration.certificateAuthorities != nil
    settings.user_agent = UnsafePointer(texts[2])
    settings.answer_limit = configuration.answerLimit
    guard let client = ccurl_open(&settings) else {
      throw HTTPError(.library, "the HTTP library cannot be used")
    }
    self.client = client
  }

  deinit { ccurl_close(client) }

  /// - Parameters:
  ///   - secrets: header lines that end with a zero byte.
  ///   - limit: how long it may take, if that is less than the configuration says.
  ///   - watch: looks on.
  func perform(
    _ method: String, _ url: String, headers: [String], secrets: [SecretBytes], body: Body?,
    limit: Duration? = nil, watch: ExchangeWatch? = nil
  ) -> Answer {
    let texts = headers.map { strdup($0) }
    defer { for text in texts { free(text) } }
    var answer = ccurl_answer()
    func run(_ lines: [UnsafePointer<CChar>?], _ body: UnsafeRawBufferPointer?) {
      method.withCString { method in
        url.withCString { url in
          lines.withUnsafeBufferPointer { lines in
            var request = ccurl_request()
            request.method = method
            request.url = url
            request.headers = lines.baseAddress
            request.header_count = lines.count
            // An empty body is one all the same.
            let empty: UnsafeRawPointer = UnsafeRawPointer(method)
            request.body = body.map { $0.baseAddress ?? empty }
            request.body_length = body?.count ?? 0
            request.total_milliseconds = limit.map { max(1, $0.milliseconds) } ?? 0
            ExchangeWatch.lend(watch) {
              request.watch = $0
              ccurl_perform(client, &request, &answer)
            }
          }
        }
      }
    }
    func add(_ secrets: ArraySlice<SecretBytes>, _ lines: [UnsafePointer<CChar>?]) {
      if let secret = secrets.first {
        return secret.withBytes { bytes in
          bytes.withUnsafeBytes {
            let line = $0.baseAddress?.assumingMemoryBound(to: CChar.self)
            add(secrets.dropFirst(), lines + [line])
          }
        }
      }
      switch body {
      case nil: run(lines, nil)
      case .plain(let bytes): bytes.withUnsafeBytes { run(lines, $0) }
      case .secret(let secret): secret.withBytes { $0.withUnsafeBytes { run(lines, $0) } }
      }
    }
    add(secrets[...], texts.map { UnsafePointer($0) })
    return read(&answer)
  }

  /// Hands a mail to a server.
  ///
  /// - Parameters:
  ///   - password: ends with a zero byte.
  func post(_ mail: Mail, password: SecretBytes?, watch: ExchangeWatch?) -> Answer {
    var answer = ccurl_answer()
    func run(_ password: UnsafePointer<CChar>?) {
      let texts = [
        strdup(mail.url), strdup(mail.from), strdup(mail.to), mail.user.flatMap { strdup($0) },
      ]
      defer { for text in texts { free(text) } }
      mail.message.withUnsafeBytes { message in
        ExchangeWatch.lend(watch) { watch in
          var request = ccurl_mail()
          request.url = UnsafePointer(texts[0])
          request.from = UnsafePointer(texts[1])
          request.to = UnsafePointer(texts[2])
          request.user = UnsafePointer(texts[3])
          request.password = password
          request.needs_tls = mail.isEncrypted
          request.message = message.baseAddress
          request.message_length = message.count
          request.watch = watch
          ccurl_post(client, &request, &answer)
        }
      }
    }
    if let password {
      password.withBytes { bytes in
        bytes.withUnsafeBytes { run($0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
      }
    } else {
      run(nil)
    }
    return read(&answer)
  }

  private func read(_ answer: inout ccurl_answer) -> Answer {
    let bytes = UnsafeRawBufferPointer(start: answer.body, count: answer.body_length)
    let head = UnsafeRawBufferPointer(start: answer.head, count: answer.head_length)
    return Answer(
      outcome: answer.outcome, status: answer.status,
      retryAfter: answer.retry_after < 0 ? nil : answer.retry_after,
      date: HTTPExchange.dates.contains(answer.date) ? answer.date : nil,
      mediaType: text(&answer.content_type), location: text(&answer.location),
      headers: HTTPField.fields(of: head), body: Array(bytes),
      problem: ForeignText(text(&answer.problem)))
  }

  private func text<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

extension Duration {
  /// As libcurl takes them; of a time that is too long, as many as there can be.
  fileprivate var milliseconds: Int { Int(Int32(clamping: wholeMilliseconds)) }
}
