import Diagnosis
import LunaCore
import LunaProtocol
import SafeText

/// Which device a person means by a word.
enum DeviceMatch {
  /// An exact uuid goes before an exact name, before a name in another case, before the beginning
  /// of a uuid.
  static func find(_ text: String, in devices: [Device]) throws(OwnerError) -> Device {
    let (lower, upper) = (text.lowercased(), text.uppercased())
    let tests: [(Device) -> Bool] = [
      { $0.uuid.description == upper }, { $0.name == text }, { $0.name.lowercased() == lower },
      { !upper.isEmpty && $0.uuid.description.hasPrefix(upper) },
    ]
    for test in tests {
      let found = devices.filter(test)
      if found.count == 1 { return found[0] }
      guard found.isEmpty else {
        let some = found.prefix(3).map { "\($0.name) \($0.uuid)" }
        throw OwnerError(
          .ambiguous,
          "\"\(text)\" may be \(found.count) devices: \(some.joined(separator: ", "))"
            + (found.count > 3 ? ", …" : ""), remedy: "give more of the uuid")
      }
    }
    throw OwnerError(
      .noSuchDevice, "there is no device \"\(text)\"", remedy: remedy(text, devices))
  }

  private static func remedy(_ text: String, _ devices: [Device]) -> Remedy {
    if devices.isEmpty { return "there are none at all: \(.onboarding) or \(.importing) adds some" }
    guard let nearest = Suggestion.nearest(to: text, among: devices.map(\.name)) else {
      return "\(.devices) shows your devices"
    }
    return "did you mean \(nearest)? \(.devices) shows your devices"
  }
}
