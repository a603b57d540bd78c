import CommandSpec
import LunaUplink

/// Who makes a check with this machine.
enum UplinkServer: Sendable {
  /// A server of ours.
  case own(String)
  /// A server of Wehe's.
  case wehe(String)
  /// A server of Wehe's at M-Lab, which a service locates.
  case mlab

  /// As the user names it.
  var text: String {
    switch self {
    case .own(let url): url
    case .wehe(let host): "wehe:\(host)"
    case .mlab: "mlab"
    }
  }

  static let reader = ValueReader<UplinkServer>(
    expects: "https://HOST[:PORT], wehe:HOST or mlab", hint: .suggestions([Choice("mlab")])
  ) { text throws(ValueProblem) in
    if text == "mlab" { return .mlab }
    if HostPlace.isURL(text) { return .own(text) }
    let host = text.dropFirst("wehe:".count)
    let isHost = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard text.hasPrefix("wehe:"), isHost, (1...253).contains(host.utf8.count) else {
      throw ValueProblem("is no server that a check can use")
    }
    return .wehe(String(host))
  }
}
