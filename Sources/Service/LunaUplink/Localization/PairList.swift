import Diagnosis
import LunaClient
import LunaJSON
package import UplinkProtocol

/// The pairs of servers of ours that a backend knows (UPLINK.md, 9).
package struct PairList: Sendable {
  /// How long an answer may be, bytes.
  private static let size = 64 << 10
  /// How many pairs are looked at.
  private static let count = 4

  private let url: String
  private let token: String
  /// A file of certificates (PEM) to trust instead of those of the system.
  package var authorities: String?
  /// Whether the certificate has to be of the backend's name.
  package var checksName = true

  /// The list of a backend, which knows this client by a token.
  package init(_ url: String, token: String) {
    self.url = (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/v1/uplink/pairs"
    self.token = token
  }

  /// Asks for it.
  ///
  /// - Returns: at least one pair.
  /// - Throws: `pairRequestFailed`, `noPair`, `pairRefused` or `pairMalformed`.
  package func ask() async throws(LocalizationError) -> [[String]] {
    var configuration = ClientConfiguration(url: url)
    // As a check, it goes through no proxy.
    configuration.proxy = "-"
    configuration.certificateAuthorities = authorities
    configuration.checksName = checksName
    configuration.answerLimit = PairList.size
    let answer: HTTPAnswer
    do throws(HTTPError) {
      let field = HTTPField("Authorization", "Bearer \(token)")
      answer = try await HTTPClient(configuration).send("GET", url, headers: [field])
    } catch {
      throw LocalizationError(.pairRequestFailed, because: error.reason)
    }
    switch answer.status {
    case 200: return try PairList.pairs(in: answer.body)
    // So answers one that knows none, or was made before there were any.
    case 404: throw LocalizationError(.noPair)
    default: throw LocalizationError(.pairRefused, because: "it answers \(answer.status)")
    }
  }

  private static func pairs(in bytes: [UInt8]) throws(LocalizationError) -> [[String]] {
    guard let json = try? JSONReader.read(bytes, rules: .strict(elements: 1000)),
      let list = try? JSONMembers(json, name: "the answer").array("pairs")
    else { throw LocalizationError(.pairMalformed) }
    let pairs = list.lazy.compactMap(pair).prefix(count)
    guard !pairs.isEmpty else { throw LocalizationError(list.isEmpty ? .noPair : .pairMalformed) }
    return Array(pairs)
  }

  private static func pair(_ json: JSONValue) -> [String]? {
    guard case .array(let parts) = json, parts.count == 2, case .string(let first) = parts[0],
      case .string(let second) = parts[1], HostPlace.isURL(first), HostPlace.isURL(second)
    else { return nil }
    return [first, second]
  }
}
