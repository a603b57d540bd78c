import CommandSpec
import LunaCore
import LunaMQTT
import LunaOwner

/// Options of which devices others are told of: homes, commands and webhooks.
struct ChoiceOptions: Sendable {
  var allowed: [String] = []
  var denied: [String] = []

  static var group: OptionGroup<ChoiceOptions> {
    OptionGroup(
      "Which devices --mqtt, --exec and --webhook tell of",
      [
        .repeated(
          "allow", "DEVICE", "This device, by uuid or name, and no others that are not named",
          \.allowed, .text
        ).defaulting(to: "all of your own"),
        .repeated("deny", "DEVICE", "Not this device, whatever --allow says", \.denied, .text),
      ])
  }

  /// Whether nobody in particular is named.
  var isEmpty: Bool { allowed.isEmpty && denied.isEmpty }

  /// Who is told of.
  ///
  /// - Throws: an `OwnerError` that names the one that is not there, or not alone.
  func filter(_ owner: LunaOwner) async throws -> HomeFilter {
    var filter = HomeFilter()
    for name in denied { filter.denied.insert(try await owner.device(matching: name).uuid) }
    for name in allowed {
      filter.allowed = (filter.allowed ?? []).union([try await owner.device(matching: name).uuid])
    }
    return filter
  }
}
