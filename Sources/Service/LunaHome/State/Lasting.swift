struct Lasting: Hashable, Sendable, Codable {
  var since: Int64
  let cause: HomeCause
}
