public import Diagnosis

/// What is wrong with a filter, and where.
public struct FilterError: Diagnosed, CustomStringConvertible, Hashable {
  /// What is wrong, such as `expected ) here`, and what to write instead where that does not say it.
  public let diagnosis: Diagnosis
  /// Characters before the place.
  public let position: Int
  /// Whether it names a field that is not there, and none is near enough to be meant: a list of the
  /// fields is what helps.
  public let needsFieldList: Bool

  init(reason: String, remedy: String? = nil, position: Int, needsFieldList: Bool = false) {
    diagnosis = Diagnosis(reason, remedy: remedy.map { Remedy($0) })
    self.position = position
    self.needsFieldList = needsFieldList
  }
}
