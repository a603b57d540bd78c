import Diagnosis
import LunaClient
import LunaCrypto
import LunaHome
import LunaJSON
import SafeText

/// A request that is ready to be sent.
struct Parcel: Sendable {
  /// Why none can be made.
  struct Problem: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  var method = "POST"
  var url: String
  var headers: [HTTPField]
  /// Header lines that end with a zero byte.
  var secrets: [SecretBytes] = []
  var body: [UInt8]?

  /// A request that is made already.
  init(url: String, headers: [HTTPField], body: [UInt8]) {
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// What is put into a request's own body.
  enum Form {
    case json, form, text

    init(_ type: String?, _ body: String, usual: Form) {
      let type = type?.lowercased() ?? ""
      if type.contains(text: "json") {
        self = .json
      } else if type.contains(text: "form-urlencoded") {
        self = .form
      } else if !type.isEmpty {
        self = .text
      } else {
        self = body.utf8.first.map { "{[".utf8.contains($0) } ?? false ? .json : usual
      }
    }

    var mediaType: String {
      switch self {
      case .json: "application/json"
      case .form: "application/x-www-form-urlencoded"
      case .text: "text/plain; charset=utf-8"
      }
    }

    var place: MessageTemplate.Place {
      switch self {
      case .json: .json
      case .form: .url
      case .text: .text
      }
    }
  }

  /// A request with the headers that somebody wants in it.
  ///
  /// - Parameters:
  ///   - template: the body as somebody wants it; nil for `standard`.
  ///   - usual: what a body is that does not look like JSON.
  init(
    _ letter: Letter, to url: String, method: String, headers wanted: [HeaderSetting],
    template: String?, standard: JSONValue, usual: Form = .text, _ transcript: Transcript?,
    value: (String) -> String?
  ) throws(Problem) {
    self.url = url
    self.method = method
    headers = [HTTPField("Luna-Firing", letter.firings.joined(separator: ", "))]
    var type: String?
    for header in wanted {
      let name = header.name
      guard HTTPField(name, "").isValid else {
        throw Problem("\(ForeignText(name)) is no name of a header")
      }
      switch header.value {
      case .text(let text):
        headers.append(HTTPField(name, text))
        if name.lowercased() == "content-type" { type = text }
      case .secret(let reference):
        let secret = try Parcel.secret(reference)
        transcript?.hide(secret, header: name)
        secrets.append(secret.line(after: "\(name): "))
      }
    }
    // Nothing is said beyond the address.
    if method == "GET" { return }
    let form: Form
    if let template {
      form = Form(type, template, usual: usual)
      body = Array(MessageTemplate(template).filled(for: form.place, value).utf8)
    } else {
      form = .json
      body = standard.bytes
    }
    if type == nil { headers.append(HTTPField("Content-Type", form.mediaType)) }
  }

  /// A secret, or why it cannot be had.
  static func secret(_ reference: SecretReference) throws(Problem) -> SecretBytes {
    var text: [UInt8]
    do throws(HomeError) {
      text = Array(try reference.read().utf8)
    } catch {
      throw Problem(error.reason)
    }
    defer { wipe(&text) }
    // A line break would make another header of what follows.
    guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw Problem("a secret is not one line of text")
    }
    return SecretBytes(copying: text.span)
  }

  /// Signs the body: `t=SECONDS,v1=HEX`, the HMAC-SHA-256 of the seconds, a full stop and the body.
  mutating func sign(with secret: SecretBytes, at seconds: Int64) throws(Problem) {
    let time = Array("\(seconds).".utf8)
    let message = body ?? []
    let code: InlineArray<32, UInt8>
    do throws(CryptoError) {
      code = try secret.withBytes { (key) throws(CryptoError) in
        var hmac = try HMACSHA256(key: key)
        hmac.update(time.span)
        hmac.update(message.span)
        return hmac.finalize()
      }
    } catch {
      throw Problem("it cannot be signed: \(error.reason)")
    }
    let digits = Array("0123456789abcdef".utf8)
    var hex: [UInt8] = []
    for index in code.indices {
      hex += [digits[Int(code[index] >> 4)], digits[Int(code[index] & 15)]]
    }
    headers.append(
      HTTPField("Luna-Signature", "t=\(seconds),v1=\(String(decoding: hex, as: UTF8.self))"))
  }
}
