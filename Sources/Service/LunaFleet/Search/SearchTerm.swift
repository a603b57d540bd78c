/// A condition that must hold, or must not.
struct SearchTerm: Hashable, Sendable {
  let condition: SearchCondition
  let isNegated: Bool
}
