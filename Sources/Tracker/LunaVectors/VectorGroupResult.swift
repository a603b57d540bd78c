/// What became of the cases of a group.
public struct VectorGroupResult: Sendable {
  /// The name of the group.
  public let name: String
  /// The number of cases that passed.
  public private(set) var passed = 0
  /// The cases that did not.
  public private(set) var failures: [VectorFailure] = []

  /// A group of which no case was run yet.
  init(name: String) { self.name = name }

  mutating func take(_ failure: VectorFailure?) {
    if let failure { failures.append(failure) } else { passed += 1 }
  }
}
