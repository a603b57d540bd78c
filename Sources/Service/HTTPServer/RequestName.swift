import Bluetooth
import LunaProtocol

/// Names of requests, for those who compare an answer with the log.
enum RequestName {
  static func make() -> String {
    let number = UInt64.random(in: 0 ... .max).bigEndian
    return withUnsafeBytes(of: number) { Hex.lower(Array($0)) }
  }
}
