import Gzip

/// A file that belongs to the program, as browsers get it.
public struct Asset: Sendable {
  /// How long browsers keep it without asking.
  public enum Caching: Sendable {
    /// Not at all: they ask each time, and get it only where it has changed.
    case revalidated
    /// A year: its address changes with it.
    case forever
  }

  /// What is shorter is not worth packing.
  private static let leastPacked = 512
  /// No file of the program is longer.
  private static let longest = 16 << 20

  let mediaType: String
  /// What is in it; of a packed one the gzip member, as most browsers want it.
  private let bytes: [UInt8]
  private let isPacked: Bool
  let caching: Caching
  /// Tells one version from another, in quotes (RFC 9110, 8.8.3).
  public let etag: String

  /// A file.
  ///
  /// - Parameters:
  ///   - mediaType: such as `text/css; charset=utf-8`.
  ///   - body: what is in it, or a gzip member with that.
  ///   - version: what is another one wherever `body` is, such as a number or the digits of a digest. Of other
  ///     characters than those between `!` and `~` nothing is kept, nor of `"` and `,`.
  ///   - caching: how long browsers keep it.
  public init(
    _ mediaType: String, _ body: [UInt8], version: String, caching: Caching = .revalidated
  ) {
    self.mediaType = mediaType
    self.caching = caching
    let isMember = body.starts(with: [0x1F, 0x8B])
    let packed =
      isMember ? body : body.count < Asset.leastPacked ? nil : Gzip.deflate(body)
    isPacked = packed.map { isMember || $0.count < body.count } ?? false
    bytes = isPacked ? packed ?? body : body
    let tag = version.utf8.filter {
      0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",")
    }
    etag = "\"" + String(decoding: tag, as: UTF8.self) + "\""
  }

  /// The answer to a request for it: 304 where the browser has it.
  ///
  /// - Parameters:
  ///   - status: of an answer with the file.
  ///   - isWhole: whether the file is sent also where the browser has it.
  ///   - policy: what a page may do.
  public func response(
    to head: HTTPHead, status: Int = 200, isWhole: Bool = false, policy: ContentPolicy = .strict
  ) -> HTTPResponse {
    let isSentPacked = isPacked && takesGzip(head)
    // What is sent in another way is another representation (RFC 9110, 8.8.3).
    let etag = isSentPacked ? String(etag.dropLast()) + "-gzip\"" : etag
    let isThere =
      !isWhole
      && (head.first("if-none-match") ?? "").split(separator: ",").contains { tag in
        let tag = tag.filter { $0 != " " && $0 != "\t" }
        return tag == "*" || tag == etag || tag == "W/" + etag
      }
    var response =
      isThere
      ? HTTPResponse(304, nil, [])
      : HTTPResponse(status, mediaType, isSentPacked ? bytes : plain)
    if isSentPacked, !isThere { response.headers.append(("Content-Encoding", "gzip")) }
    if isPacked { response.headers.append(("Vary", "Accept-Encoding")) }
    response.headers.append(("ETag", etag))
    response.headers.append(
      (
        "Cache-Control",
        caching == .forever ? "public, max-age=31536000, immutable" : "no-cache"
      ))
    response.headers += policy.headers
    return response
  }

  /// What is in it. Hardly anybody asks for that.
  private var plain: [UInt8] {
    isPacked ? (try? Gzip.inflate(bytes, limit: Asset.longest)) ?? [] : bytes
  }

  /// Whether who asks takes gzip (RFC 9110, 12.5.3).
  private func takesGzip(_ head: HTTPHead) -> Bool {
    (head.first("accept-encoding") ?? "").split(separator: ",").contains { entry in
      let parts = entry.split(separator: ";").map { part in part.filter { $0 != " " && $0 != "\t" }
      }
      guard let coding = parts.first?.lowercased(), coding == "gzip" || coding == "x-gzip" else {
        return false
      }
      // "q=0" and "q=0.000" say no.
      return !parts.dropFirst().contains {
        $0.lowercased().hasPrefix("q=") && Double($0.dropFirst(2)) == 0
      }
    }
  }
}
