/// A refusal where a result was wanted.
struct AccountProblem: Error, Hashable {
  let refusal: AccountRefusal
  init(_ refusal: AccountRefusal) { self.refusal = refusal }
}
