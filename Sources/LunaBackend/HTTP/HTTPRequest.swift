/// A request that is complete.
struct HTTPRequest: Sendable {
  /// Names it in logs and answers.
  let id: String
  let head: HTTPHead
  let client: ClientAddress
  /// The body as it came.
  let body: [UInt8]
}
