/// What a page that comes from here may do in a browser (Content Security Policy Level 3), and what others
/// may do with it.
public struct ContentPolicy: Hashable, Sendable {
  /// The directives besides those that forbid everything else, as `img-src 'self'`.
  public var directives: [String]
  /// Further header fields by their names, as they are to be sent.
  public var more: [String: String]

  /// A policy. What no directive allows is forbidden: other sources, frames, forms, bases.
  public init(_ directives: [String] = [], more: [String: String] = [:]) {
    self.directives = directives
    self.more = more
  }

  /// Scripts, styles, pictures and answers from here, and nothing from elsewhere.
  public static let strict = ContentPolicy([
    "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "form-action 'self'",
  ])

  /// For what somebody else has made: nothing at all.
  public static let sandbox = ContentPolicy(["sandbox"])

  /// All header fields that say so, with those in ``more`` at the end by name.
  public var headers: [(name: String, value: String)] {
    let closed = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]
    let forms = directives.contains { $0.hasPrefix("form-action") } ? [] : ["form-action 'none'"]
    return [
      ("Content-Security-Policy", (closed + forms + directives).joined(separator: "; ")),
      ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
    ] + more.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
