import Glibc

/// The proxies whose word is taken for who is behind them.
public struct TrustedProxies: Sendable {
  /// An address, or all that begin alike (CIDR, RFC 4632).
  private struct Network: Hashable, Sendable {
    let bytes: [UInt8]
    let bits: Int

    init?(_ text: some StringProtocol) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), let bytes = TrustedProxies.bytes(of: parts[0]) else {
        return nil
      }
      var bits = bytes.count * 8
      if parts.count == 2 {
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]),
          given <= bits
        else { return nil }
        bits = given
      }
      self.bytes = bytes
      self.bits = bits
    }

    func contains(_ address: [UInt8]) -> Bool {
      guard address.count == bytes.count else { return false }
      return (0..<bits).allSatisfy { bit in
        let difference = address[bit / 8] ^ bytes[bit / 8]
        return difference & (0x80 >> (bit % 8)) == 0
      }
    }
  }

  private let networks: [Network]

  /// Nobody.
  public static let none = TrustedProxies(networks: [])

  private init(networks: [Network]) { self.networks = networks }

  /// Proxies at `10.0.0.1`, `10.0.0.0/8` or `fd00::/8`.
  ///
  /// - Returns: nil when one is no address.
  public init?(_ texts: [String]) {
    let networks = texts.compactMap { Network($0) }
    guard networks.count == texts.count else { return nil }
    self.networks = networks
  }

  /// Whether the word of whoever has an address is taken.
  func contains(_ address: [UInt8]) -> Bool {
    guard !networks.isEmpty else { return false }
    let plain = ClientAddress.plain(address)
    return networks.contains { $0.contains(plain) }
  }

  /// Who is behind a connection: the last address that a trusted proxy has added to the header, else
  /// whoever connected. What stands before it anybody may have written.
  ///
  /// - Parameters:
  ///   - peer: 4 or 16 bytes.
  ///   - head: of the request.
  func client(behind peer: [UInt8], _ head: HTTPHead) -> [UInt8] {
    guard contains(peer), let line = head.raw("x-forwarded-for").last,
      let last = line.split(separator: ",", omittingEmptySubsequences: false).last
    else { return peer }
    return TrustedProxies.forwarded(last) ?? peer
  }

  /// An address with or without a port.
  private static func forwarded(_ text: Substring) -> [UInt8]? {
    let text = text.filter { $0 != " " && $0 != "\t" }
    if let bytes = bytes(of: text) { return bytes }
    guard text.hasPrefix("[") else { return bytes(of: text.prefix { $0 != ":" }) }
    return bytes(of: text.dropFirst().prefix { $0 != "]" })
  }

  private static func bytes(of text: some StringProtocol) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let text = String(text)
    // A zero byte would end it for the functions of C.
    guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return nil }
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? ClientAddress.plain(bytes) : nil
  }
}
