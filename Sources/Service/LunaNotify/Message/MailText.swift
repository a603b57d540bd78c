import Bluetooth
import LunaCore
import LunaHome
import LunaProtocol
import SafeText

/// A letter as a mail (RFC 5322), with what is not ASCII encoded (RFC 2047, MIME).
enum MailText {
  /// Head and text.
  ///
  /// - Parameters:
  ///   - number: what tells it from others of the same moment; the same for each attempt.
  ///   - now: µs since 1970.
  static func bytes(
    of letter: Letter, from: MailAddress, to: MailAddress, number: Int64, at now: Int64
  ) -> [UInt8] {
    let domain = from.address.split(separator: "@").last.map(String.init) ?? "localhost"
    let time = letter.messages.first?.at ?? now
    var lines = [
      "From: \(from.header)", "To: \(to.header)", "Subject: \(text(letter.title))",
      "Date: \(date(now))", "Message-ID: <luna.\(time).\(number)@\(domain)>",
      "Luna-Firing: \(letter.firings.joined(separator: ",\r\n "))",
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
    ]
    let urgent = letter.level == .alarm ? ["Importance: high", "X-Priority: 1"] : []
    if let enclosure = letter.enclosure, !enclosure.name.isEmpty {
      lines += ["Content-Type: multipart/mixed;\r\n boundary=\"\(boundary)\""] + urgent + [""]
      lines += ["--\(boundary)"] + textHead + [""] + textLines(of: letter)
      lines += [
        "--\(boundary)", "Content-Type: application/octet-stream",
        "Content-Transfer-Encoding: base64",
        "Content-Disposition: attachment;\r\n filename=\"\(enclosure.name)\"", "",
      ]
      lines += wrapped(enclosure.content) + ["--\(boundary)--"]
    } else {
      lines += textHead + urgent + [""] + textLines(of: letter)
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  /// Base64 has no such line (RFC 2045, 6.7).
  private static let boundary = "=_luna"
  private static let textHead = [
    "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
  ]

  private static func textLines(of letter: Letter) -> [String] {
    var body = letter.text
    if !letter.link.isEmpty { body += "\n\n" + letter.link }
    if let secret = letter.enclosure, secret.name.isEmpty {
      body += "\n\n" + String(decoding: Base64.decode(secret.content) ?? [], as: UTF8.self)
    }
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
    return wrapped(Base64.encode(Array((lines.joined(separator: "\r\n") + "\r\n").utf8).span))
  }

  /// Lines of 76 characters.
  private static func wrapped(_ encoded: String) -> [String] {
    let bytes = Array(encoded.utf8)
    return stride(from: 0, to: bytes.count, by: 76).map {
      String(decoding: bytes[$0..<min($0 + 76, bytes.count)], as: UTF8.self)
    }
  }

  /// A text in a header: as it is when it is plain, else as encoded words of at most 75 characters.
  static func text(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    // Nobody takes a part of a plain text for an encoded word.
    return isPlain && text.utf8.count <= 200 && !text.utf8.contains(UInt8(ascii: "="))
      ? text : words(text)
  }

  /// The name of an address.
  static func phrase(_ name: String) -> String {
    let name = EscapedText.line(name)
    let isPlain = name.utf8.allSatisfy { byte in
      byte == 0x20 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
    return isPlain && name.utf8.count <= 60 ? name : words(name)
  }

  private static func words(_ text: String) -> String {
    var words: [String] = []
    var part: [UInt8] = []
    func end() {
      words.append("=?utf-8?B?\(Base64.encode(part.span))?=")
      part = []
    }
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      // 45 bytes are 60 characters.
      if part.count + bytes.count > 45 { end() }
      part += bytes
    }
    if !part.isEmpty { end() }
    return words.joined(separator: "\r\n ")
  }

  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Thu, 31 Dec 2026 23:59:59 +0000`.
  static func date(_ microseconds: Int64) -> String {
    // 2026-12-31T23:59:59.000000Z
    let text = Timestamp(microseconds: microseconds).rfc3339
    let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]), microseconds >= 0 else {
      return "Thu, 01 Jan 1970 00:00:00 +0000"
    }
    // 1970 began on a Thursday.
    let weekday = Int((microseconds / 86_400_000_000 + 3) % 7)
    return "\(days[weekday]), \(parts[2] < 10 ? "0" : "")\(parts[2]) \(months[parts[1] - 1]) "
      + "\(parts[0]) \(text.dropFirst(11).prefix(8)) +0000"
  }
}
