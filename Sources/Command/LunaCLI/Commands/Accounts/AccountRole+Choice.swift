import CommandSpec
import LunaBackend

extension ValueReader where Value == AccountRole {
  /// A role.
  static var role: Self {
    .choice([
      (Choice("viewer", "reads"), .viewer),
      (Choice("operator", "also changes gateways and devices"), .operator),
      (Choice("admin", "also looks after accounts, tokens and settings"), .admin),
    ])
  }
}
