import HTTPServer
import LunaJSON
import SafeText

/// Where the tiles of a map come from. Whoever serves them learns which places browsers look at: it is off
/// until an admin agrees to that.
struct TileSource: Hashable, Sendable {
  private static let addressLimit = 512
  private static let attributionLimit = 200
  private static let places = ["{z}", "{x}", "{y}"]

  /// An address with `{z}`, `{x}` and `{y}`.
  let address: String
  /// Whose map it is, as its terms want it to be said.
  let attribution: String
  /// Whether browsers ask it.
  let isOn: Bool
  /// Scheme, host and port.
  let origin: String

  /// Reads a source; nil for one that cannot be.
  init?(json: JSONValue) {
    guard case .object(let object) = json,
      object.members.allSatisfy({ ["url", "attribution", "on"].contains($0.name) }),
      case .string(let address)? = object["url"], let origin = TileSource.origin(of: address)
    else { return nil }
    switch object["attribution"] {
    case nil: attribution = ""
    case .string(let text)?:
      guard text.utf8.count <= TileSource.attributionLimit,
        !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { return nil }
      attribution = text
    default: return nil
    }
    switch object["on"] {
    case nil: isOn = false
    case .bool(let value)?: isOn = value
    default: return nil
    }
    self.address = address
    self.origin = origin
  }

  /// Where an address leads to; nil for one that is none of tiles, or that others could read on the way. It
  /// becomes part of a policy, so that nothing may stand in it that means something there.
  private static func origin(of address: String) -> String? {
    guard address.utf8.count <= addressLimit,
      places.allSatisfy({ address.contains(text: $0) }),
      address.utf8.allSatisfy({ byte in
        byte > 0x20 && byte < 0x7F && !"\"'<>;,\\^`|".utf8.contains(byte)
      })
    else { return nil }
    let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[1].isEmpty,
      let url = PublicURL("\(parts[0])//\(parts[2])"), url.isPrivate
    else { return nil }
    return url.origin
  }
}
