import CCurl
import Glibc
import LunaCrypto
import SafeText

/// One handle of libcurl, used on one thread at a time by its owner.
final class HTTPExchange: @unchecked Sendable {
  /// An answer.
  struct Answer: Sendable {
    let outcome: ccurl_outcome
    let status: Int
    let retryAfter: Int?
    let mediaType: String
    let location: String
    let body: [UInt8]
    /// Why there is none.
    let problem: ForeignText
  }

  private let client: OpaquePointer

  init?(_ configuration: ClientConfiguration) {
    let texts = [
      strdup(configuration.proxy), configuration.certificateAuthorities.map { strdup($0) } ?? nil,
      strdup(configuration.userAgent),
    ]
    defer { texts.forEach { free($0) } }
    var settings = ccurl_settings()
    settings.connect_milliseconds = configuration.connectTimeout.milliseconds
    settings.total_milliseconds = configuration.totalTimeout.milliseconds
    settings.proxy = UnsafePointer(texts[0])
    settings.certificate_authorities = UnsafePointer(texts[1])
    settings.user_agent = UnsafePointer(texts[2])
    settings.answer_limit = configuration.answerLimit
    guard let client = ccurl_open(&settings) else { return nil }
    self.client = client
  }

  deinit { ccurl_close(client) }

  /// - Parameters:
  ///   - authorization: a header line that ends with a zero byte.
  ///   - limit: how long it may take, if that is less than the configuration says.
  func perform(
    _ method: String, _ url: String, headers: [String], authorization: SecretBytes?,
    body: [UInt8]?, limit: Duration? = nil
  ) -> Answer {
    let texts = headers.map { strdup($0) }
    defer { texts.forEach { free($0) } }
    var answer = ccurl_answer()
    func run(_ lines: [UnsafePointer<CChar>?]) {
      method.withCString { method in
        url.withCString { url in
          lines.withUnsafeBufferPointer { lines in
            (body ?? []).withUnsafeBytes { bytes in
              var request = ccurl_request()
              request.method = method
              request.url = url
              request.headers = lines.baseAddress
              request.header_count = lines.count
              // An empty body is one all the same.
              let empty: UnsafeRawPointer = UnsafeRawPointer(method)
              request.body = body == nil ? nil : bytes.baseAddress ?? empty
              request.body_length = bytes.count
              request.total_milliseconds = limit.map { max(1, $0.milliseconds) } ?? 0
              ccurl_perform(client, &request, &answer)
            }
          }
        }
      }
    }
    let lines = texts.map { UnsafePointer($0) }
    if let authorization {
      authorization.withBytes { secret in
        secret.withUnsafeBytes {
          run(lines + [$0.baseAddress?.assumingMemoryBound(to: CChar.self)])
        }
      }
    } else {
      run(lines)
    }
    let bytes = UnsafeRawBufferPointer(start: answer.body, count: answer.body_length)
    return Answer(
      outcome: answer.outcome, status: answer.status,
      retryAfter: answer.retry_after < 0 ? nil : answer.retry_after,
      mediaType: text(&answer.content_type), location: text(&answer.location), body: Array(bytes),
      problem: ForeignText(text(&answer.problem)))
  }

  private func text<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
