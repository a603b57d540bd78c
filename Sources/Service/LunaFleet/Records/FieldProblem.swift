/// What is wrong with the value of a field, to follow the field's name.
struct FieldProblem: Error {
  let text: String

  init(_ text: String) { self.text = text }
}
