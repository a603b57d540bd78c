public import Diagnosis

/// What is wrong with an expression, and where.
public struct TableMistake: Diagnosed, CustomStringConvertible, Hashable {
  /// What is wrong and what to do.
  public let text: String
  /// Characters before the place.
  public let position: Int

  /// What is wrong and what to do, as a diagnosis.
  public var diagnosis: Diagnosis { Diagnosis(text) }

  /// A mistake, in the words of whoever knows the language.
  public init(text: String, position: Int) {
    self.text = text
    self.position = position
  }
}
