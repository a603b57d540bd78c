/// A part of a regular expression.
indirect enum RegularExpressionNode {
  case empty
  case characters(RegularExpressionSet)
  case assertion(RegularExpressionStep.Assertion)
  case sequence([RegularExpressionNode])
  case choice([RegularExpressionNode])
  /// Between `minimum` and `maximum` times; without an end where that is nil.
  case repeated(RegularExpressionNode, minimum: Int, maximum: Int?)
}
